import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { readInstalledKinds } from '../crossplane/package-files.ts';
import { findFaults, findObservedFaults } from './find-faults.ts';

const kinds = readInstalledKinds();
const claim = {
  apiVersion: 'modelberth.dev/v1alpha1',
  kind: 'ModelService',
  metadata: { name: 'llama', namespace: 'chat' },
  spec: {},
};
const as = (fields: object): KubernetesObject => ({ ...claim, ...fields }) as unknown as KubernetesObject;

describe('findFaults says what the API server would refuse:', () => {
  const table: readonly [string, KubernetesObject, readonly string[]][] = [
    ['nothing', as({}), []],
    ['nothing of a kind that is not ours', as({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }), []],
    [
      'nothing of a kind without a namespace',
      as({ kind: 'InferenceCluster', metadata: { name: 'europe' }, spec: {} }),
      [],
    ],
    [
      'another version',
      as({ apiVersion: 'modelberth.dev/v2' }),
      ['ModelService "llama": apiVersion is "modelberth.dev/v2"; write "modelberth.dev/v1alpha1"'],
    ],
    [
      'no name',
      as({ metadata: { namespace: 'chat' } }),
      ['ModelService: metadata.name is missing or no text; write one'],
    ],
    [
      'a name that is a list',
      as({ metadata: { name: ['llama'], namespace: 'chat' } }),
      ['ModelService: metadata.name is missing or no text; write one'],
    ],
    [
      'no namespace',
      as({ metadata: { name: 'llama' } }),
      ['ModelService "llama": metadata.namespace is missing or no text; write the one that the claim is made in'],
    ],
    ['no spec', as({ spec: null }), ['ModelService "llama": spec is missing or no object']],
    ['a spec that is text', as({ spec: 'llama' }), ['ModelService "llama": spec is missing or no object']],
    [
      'a field that is misspelt',
      as({ spec: { rout: [] } }),
      ['ModelService "llama": spec.rout is no field; did you mean "routes"?'],
    ],
  ];
  test.each(table)('%s', (_name, object, faults) => {
    expect(findFaults([object], kinds)).toEqual(faults);
  });
});

describe('S1 findObservedFaults says what core would ignore:', () => {
  const key = { 'crossplane.io/composition-resource-name': 'pool-a' };
  const owner = { apiVersion: claim.apiVersion, kind: 'ModelReplica', name: 'llama-0', uid: 'u', controller: true };
  const group = (metadata: object) =>
    as({ apiVersion: 'eks.aws.m.upbound.io/v1beta1', kind: 'NodeGroup', metadata: { name: 'a', ...metadata } });
  const noKey =
    'NodeGroup "a": the annotation crossplane.io/composition-resource-name is missing, so nobody knows which resource it is; write it out whole, with "kubectl get -o yaml"';
  const noOwner =
    'NodeGroup "a": the owner reference with controller true is missing, so it belongs to no claim; write it out whole, with "kubectl get -o yaml"';
  const table: readonly [string, KubernetesObject, readonly string[]][] = [
    ['nothing', group({ annotations: key, ownerReferences: [owner] }), []],
    [
      'nothing where the label names the owner',
      group({ annotations: key, labels: { 'crossplane.io/composite': 'llama-0' } }),
      [],
    ],
    ['nothing of a claim', as({}), []],
    ['no key', group({ ownerReferences: [owner] }), [noKey]],
    ['no owner', group({ annotations: key }), [noOwner]],
    [
      'an owner that does not control it',
      group({ annotations: key, ownerReferences: [{ ...owner, controller: false }] }),
      [noOwner],
    ],
    ['neither', group({}), [noKey, noOwner]],
  ];
  test.each(table)('%s', (_name, object, faults) => {
    expect(findObservedFaults([object], kinds)).toEqual(faults);
  });
});
