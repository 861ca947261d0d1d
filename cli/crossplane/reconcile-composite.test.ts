import {
  Ready,
  type Resource,
  type RunFunctionRequest,
  RunFunctionResponse,
  Severity,
  Status,
  Target,
} from '@crossplane-org/function-sdk-typescript';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { FunctionName } from '../../functions/steps.ts';
import type { CallFunction } from './function-client.ts';
import { reconcileComposite, uidOf } from './reconcile-composite.ts';
import { PipelineFatal } from './run-pipeline.ts';

const xr: KubernetesObject = {
  apiVersion: 'modelberth.dev/v1alpha1',
  kind: 'ModelReplica',
  metadata: { name: 'llama-0', namespace: 'chat', uid: 'uid-1' },
  spec: {},
};
const owner = {
  apiVersion: xr.apiVersion,
  kind: 'ModelReplica',
  name: 'llama-0',
  uid: 'uid-1',
  controller: true,
  blockOwnerDeletion: true,
};

function compositionOf(...names: string[]): KubernetesObject {
  const pipeline = names.map((name) => ({ step: name, functionRef: { name: `modelberth-${name}` } }));
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: 'c' },
    spec: { pipeline },
  };
}

const empty = RunFunctionResponse.decode(new Uint8Array());
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', labels: { a: 'b' } }, spec: {} };

function resourceOf(object: object, ready: Ready): Resource {
  return { resource: { ...object }, connectionDetails: {}, ready };
}

function withKey(object: KubernetesObject, key: string): KubernetesObject {
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { 'crossplane.io/composition-resource-name': key } },
  };
}

type Answers = Partial<Record<FunctionName, (request: RunFunctionRequest) => Partial<RunFunctionResponse>>>;

async function reconcile(answers: Answers, observed: readonly KubernetesObject[] = [], subject = xr) {
  const call: CallFunction = async (name, request) => {
    return { ...empty, desired: request.desired, context: request.context, ...answers[name]?.(request) };
  };
  const composition = compositionOf(...Object.keys(answers));
  return await reconcileComposite({
    xr: subject,
    composition,
    observed,
    call,
    fetch: { resources: () => [], schema: () => undefined },
  });
}

function desiring(resources: Record<string, Resource>, ready = Ready.READY_UNSPECIFIED, status: object = {}) {
  return { desired: { composite: resourceOf({ status }, ready), resources } };
}

describe('reconcileComposite applies a composed resource', () => {
  test('with its owner, its key and the namespace of the XR', async () => {
    const { composed } = await reconcile({
      placement: () => desiring({ 'engine-s': resourceOf(service, Ready.READY_TRUE) }),
    });
    expect(composed).toEqual([
      {
        ...service,
        metadata: {
          name: 's',
          namespace: 'chat',
          labels: { a: 'b', 'crossplane.io/composite': 'llama-0' },
          annotations: { 'crossplane.io/composition-resource-name': 'engine-s' },
          ownerReferences: [owner],
        },
      },
    ]);
  });

  test('under the name that it has already', async () => {
    const observed = withKey({ ...service, metadata: { name: 'older', namespace: 'chat' } }, 'engine-s');
    const { composed } = await reconcile(
      { placement: () => desiring({ 'engine-s': resourceOf(service, Ready.READY_TRUE) }) },
      [observed],
    );
    expect(composed[0]?.metadata.name).toBe('older');
  });

  test('sorted by key', async () => {
    const one = resourceOf(service, Ready.READY_TRUE);
    const { composed } = await reconcile({ placement: () => desiring({ b: one, a: one, C: one }) });
    expect(composed.map(({ metadata }) => metadata.annotations?.['crossplane.io/composition-resource-name'])).toEqual([
      'C',
      'a',
      'b',
    ]);
  });

  test('and throws when a step desired what is no object', async () => {
    await expect(
      reconcile({ placement: () => desiring({ a: resourceOf({ kind: 'Service' }, Ready.READY_TRUE) }) }),
    ).rejects.toThrow('Cannot apply composed resource "a": it is no object');
  });
});

test('reconcileComposite deletes what is observed and not desired', async () => {
  const observed = [withKey(service, 'kept'), withKey({ ...service, metadata: { name: 't' } }, 'gone')];
  const { deleted } = await reconcile(
    { placement: () => desiring({ kept: resourceOf(service, Ready.READY_TRUE) }) },
    observed,
  );
  expect(deleted.map(({ metadata }) => metadata.name)).toEqual(['t']);
});

/** As core decides it (crossplane v2.4.0 reconciler.go, read 2026-12-01). */
describe('the condition Ready of an XR is', () => {
  const ready = { ready: resourceOf(service, Ready.READY_TRUE) };
  const unready = { z: resourceOf(service, Ready.READY_FALSE), a: resourceOf(service, Ready.READY_UNSPECIFIED) };
  const rows: readonly [string, Record<string, Resource>, Ready, string, string][] = [
    ['True when every composed resource is', ready, Ready.READY_UNSPECIFIED, 'True', 'Available'],
    ['True when nothing is composed', {}, Ready.READY_UNSPECIFIED, 'True', 'Available'],
    ['False when one is not', { ...ready, ...unready }, Ready.READY_UNSPECIFIED, 'False', 'Creating'],
    ['True when a step says so', unready, Ready.READY_TRUE, 'True', 'Available'],
    ['False when a step says so', ready, Ready.READY_FALSE, 'False', 'Creating'],
  ];
  test.each(rows)('%s', async (_name, resources, said, status, reason) => {
    const { composite } = await reconcile({ placement: () => desiring(resources, said) });
    expect(composite.status).toMatchObject({
      conditions: [
        { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
        { type: 'Ready', status, reason },
      ],
    });
  });

  test('False with the first three that are not, by name', async () => {
    const one = resourceOf(service, Ready.READY_FALSE);
    const { composite, events } = await reconcile({ placement: () => desiring({ d: one, c: one, b: one, a: one }) });
    expect(composite.status).toMatchObject({
      conditions: [{}, { type: 'Ready', message: 'Unready resources: a, b, c, and 1 more' }],
    });
    expect(events.map(({ message }) => message)).toEqual(
      ['a', 'b', 'c', 'd'].map((key) => `Composed resource "${key}" is not yet ready`),
    );
  });
});

describe('the steps of a pipeline', () => {
  const condition = {
    type: 'Placed',
    status: Status.STATUS_CONDITION_FALSE,
    reason: 'Misfit',
    message: 'No',
    target: Target.TARGET_COMPOSITE,
  };

  test('see what earlier ones desired and said, and the status is what the last one desired', async () => {
    const one = resourceOf(service, Ready.READY_TRUE);
    const { composite, composed } = await reconcile({
      placement: () => ({ ...desiring({ a: one }, Ready.READY_TRUE, { fit: 1 }), context: { said: 'yes' } }),
      'engine-config': ({ desired, context }) =>
        desiring({ ...desired?.resources, b: one }, Ready.READY_TRUE, { fit: 1, heard: context?.said }),
    });
    expect(composed.length).toBe(2);
    expect(composite.status).toMatchObject({ fit: 1, heard: 'yes' });
  });

  test('replace a condition of the same type and keep the others, and lose every other field of the old status', async () => {
    const before = {
      old: 1,
      conditions: [
        { type: 'Placed', status: 'True' },
        { type: 'Routable', status: 'True' },
      ],
    };
    const { composite } = await reconcile({ placement: () => ({ ...desiring({}), conditions: [condition] }) }, [], {
      ...xr,
      status: before,
    });
    expect(composite.status).toEqual({
      conditions: [
        { type: 'Placed', status: 'False', reason: 'Misfit', message: 'No' },
        { type: 'Routable', status: 'True' },
        { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
        { type: 'Ready', status: 'True', reason: 'Available' },
      ],
    });
  });

  test('give one event for each result, with the name of the step', async () => {
    const result = {
      severity: Severity.SEVERITY_WARNING,
      message: 'Placed: No',
      reason: 'Misfit',
      target: Target.TARGET_COMPOSITE,
    };
    const { events } = await reconcile({
      placement: () => ({ ...desiring({}), results: [result] }),
      'engine-config': () => ({
        ...desiring({}),
        results: [{ ...result, severity: Severity.SEVERITY_NORMAL, reason: undefined }],
      }),
    });
    expect(events).toEqual([
      { type: 'Warning', reason: 'Misfit', message: 'Pipeline step "placement": Placed: No' },
      { type: 'Normal', reason: 'ComposeResources', message: 'Pipeline step "engine-config": Placed: No' },
    ]);
  });

  test('end at the first fatal one, and nothing is applied', async () => {
    const fatal = {
      severity: Severity.SEVERITY_FATAL,
      message: 'No object',
      reason: undefined,
      target: Target.TARGET_COMPOSITE,
    };
    const late = () => {
      throw new Error('a later step was called');
    };
    const run = reconcile({ placement: () => ({ results: [fatal] }), 'engine-config': late });
    await expect(run).rejects.toThrow(PipelineFatal);
    await expect(run).rejects.toThrow('pipeline step "placement" returned a fatal result: No object');
  });

  test('are functions of ours, or the Composition is refused by name', async () => {
    await expect(reconcile({ ['auto-ready' as FunctionName]: () => ({}) })).rejects.toThrow(
      'function "modelberth-auto-ready" is none of ours',
    );
  });
});

test('an XR without a uid gets one that can be told from others', () => {
  const { uid: _uid, ...metadata } = xr.metadata;
  expect([uidOf(xr), uidOf({ ...xr, metadata })]).toEqual(['uid-1', 'uid-modelreplica-chat-llama-0']);
});
