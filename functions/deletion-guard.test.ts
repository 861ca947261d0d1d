import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { guardDeletion } from './deletion-guard.ts';

interface Scene {
  readonly kind?: string;
  readonly spec?: unknown;
  /** Crossplane has marked the object as in use. */
  readonly marked?: boolean;
  readonly usage?: 'Ready' | 'Unseen';
  readonly saidBefore?: boolean;
  readonly isFrozen?: boolean;
}

const on = { deletionProtection: true };
const off = { deletionProtection: false };

function guard({ kind = 'ModelDeployment', spec = on, marked, usage, saidBefore, isFrozen = false }: Scene) {
  const labels = marked === true ? { 'crossplane.io/in-use': 'true' } : {};
  const conditions = saidBefore === true ? [{ type: 'DeletionProtected', status: 'True' }] : [];
  const metadata = { name: 'llama', namespace: 'chat', labels };
  const xr: KubernetesObject = { apiVersion: 'modelberth.dev/v1alpha1', kind, metadata, spec, status: { conditions } };
  const status = usage === 'Ready' ? { conditions: [{ type: 'Ready', status: 'True' }] } : undefined;
  const object = { apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage', metadata: { name: 'u' }, status };
  const observed = new Map(usage === undefined ? [] : [['guard-deployment', object]]);
  const { composed, dropped, conditions: said } = guardDeletion('rollout-strategy', { xr, observed, isFrozen });
  return {
    composed: [...composed].map(([key, { state }]) => `${key} ${state}`),
    dropped: [...dropped.keys()],
    said: said.map(({ status: is, reason }) => `${is} ${reason}`),
  };
}

const nothing = { composed: [], dropped: [], said: [] };
const created = { composed: ['guard-deployment Created'], dropped: [], said: ['False UsageNotActive'] };
const waiting = { ...created, composed: ['guard-deployment Waiting'] };
const active = { composed: ['guard-deployment Ready'], dropped: [], said: ['True UsageActive'] };
const dropped = { composed: [], dropped: ['guard-deployment'], said: [] };

const rows: readonly [string, Scene, ReturnType<typeof guard>][] = [
  ['composes the Usage when it is asked for', {}, created],
  ['composes it when the step cannot decide anything else', { isFrozen: true }, created],
  ['does not call it active before Crossplane has taken it up', { usage: 'Unseen', marked: true }, waiting],
  ['S5 does not call it active before the object is marked', { usage: 'Ready' }, { ...active, said: created.said }],
  ['calls it active once the object is marked and the Usage is ready', { usage: 'Ready', marked: true }, active],
  ['composes nothing when it is not asked for', { spec: {} }, nothing],
  ['drops the Usage when it is switched off', { spec: off, usage: 'Ready', marked: true }, dropped],
  ['drops it when the field is left out', { spec: {}, usage: 'Ready' }, dropped],
  [
    'says that it is over where it was said before',
    { spec: off, saidBefore: true },
    { ...nothing, said: ['False NotProtected'] },
  ],
  ['S1 drops nothing while the step cannot decide', { spec: off, usage: 'Ready', isFrozen: true }, nothing],
  ['S1 drops nothing when the spec cannot be read', { spec: 'unreadable', usage: 'Ready' }, nothing],
  ['does nothing for a kind that cannot be protected', { kind: 'ModelReplica' }, nothing],
  ['leaves the object of another step to that', { kind: 'InferenceGateway' }, nothing],
];

describe('L12 guardDeletion', () => {
  test.each(rows)('%s', (_name, scene, wanted) => {
    expect(guard(scene)).toEqual(wanted);
  });
});
