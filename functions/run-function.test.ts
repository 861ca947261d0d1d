import { RunFunctionRequest, Severity, Target } from '@crossplane-org/function-sdk-typescript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fetch, runStep } from '../cli/crossplane/run-step.ts';
import {
  callTime,
  conditionsOf,
  desiredObjects,
  encodeRequest,
  type RequestParts,
  replicaXr,
  runEncoded,
} from '../test/run-encoded.ts';
import type { Compose, Decision } from './compose.ts';
import { freezeBecause } from './freeze.ts';
import { engineEntry } from './hand-offs.ts';
import { UndecodableRequest } from './wire/undecodable-request.ts';

const manager = 'apiextensions.crossplane.io/composed/0123456789abcdef';
const rendered = { replicas: 1, paused: false };
/** As observed: `progressDeadlineSeconds` was defaulted by the API server, so it is not ours. */
const workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'llama-0',
    namespace: 'chat',
    uid: 'a-uid',
    resourceVersion: '7',
    labels: { 'modelberth.dev/revision': 'abc', 'crossplane.io/composite': 'llama-0' },
    annotations: { 'crossplane.io/composition-resource-name': 'workload-engine', 'modelberth.dev/rung': 'l4' },
    managedFields: [
      {
        manager,
        operation: 'Apply',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:modelberth.dev/revision': {}, 'f:crossplane.io/composite': {} } },
          'f:spec': { 'f:replicas': {}, 'f:paused': {} },
        },
      },
    ],
  },
  spec: { ...rendered, progressDeadlineSeconds: 600 },
  status: { availableReplicas: 1 },
};
const workloadAsRendered = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'llama-0',
    namespace: 'chat',
    labels: { 'modelberth.dev/revision': 'abc' },
    annotations: { 'modelberth.dev/rung': 'l4' },
  },
  spec: rendered,
};
const pool = {
  apiVersion: 'eks.aws.m.upbound.io/v1beta1',
  kind: 'NodeGroup',
  metadata: { name: 'a' },
  spec: { size: 1 },
};
const stray = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stray' }, data: { a: '1' } };
const poolAsDesired = { ...pool, spec: { size: 2 } };

/** A pass of the last step of a replica: one key of its own, one of placement, one of nobody. */
const parts: RequestParts = {
  xr: { ...replicaXr, status: { revision: { current: 'abc' }, lastFailure: 'out of memory', fit: { verdict: 'Fit' } } },
  observed: { 'workload-engine': workload, 'pool-a': pool, stray },
  desired: { 'pool-a': poolAsDesired },
  desiredStatus: {
    fit: { verdict: 'Fit' },
    resources: [{ name: 'a', kind: 'NodeGroup', state: 'Usable', why: 'joined' }],
  },
  context: { 'other.dev/entry': { a: 1 } },
};

const nothing: Decision = { requirements: { resources: {} }, composed: new Map(), status: {}, conditions: [] };
/** A step that would take everything away, were it asked. */
const dropAll: Compose = ({ observed }) => ({
  ...nothing,
  dropped: new Map([...observed.keys()].map((key) => [key, 'old'])),
});
const composing = (value: unknown): Compose => {
  return () => ({
    ...nothing,
    composed: new Map([['workload-new', { object: { ...stray, data: value }, ready: true, state: 'Ready', why: '' }]]),
  });
};
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

describe('runFunction throws UndecodableRequest when', () => {
  const rows: readonly [string, Uint8Array][] = [
    ['the bytes are text', new TextEncoder().encode('GET / HTTP/1.1')],
    ['the bytes end in the middle of an object', encodeRequest(parts).subarray(0, 40)],
    ['a field has another wire type', Uint8Array.of(0x12, 0xff, 0xff, 0xff, 0xff, 0x0f)],
  ];
  test.each(rows)('%s', (_name, bytes) => {
    expect(() => runEncoded('rollout-strategy', dropAll, bytes)).toThrow(UndecodableRequest);
    expect(() => runEncoded('rollout-strategy', dropAll, bytes)).toThrow(/^Cannot decode the request: /);
  });

  test('they are any bytes, and never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          runEncoded('rollout-strategy', dropAll, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(UndecodableRequest);
        }
      }),
    );
  });
});

describe('S1 runFunction answers one fatal and changes nothing when the composite resource', () => {
  const rows: readonly [string, RequestParts['xr']][] = [
    ['is absent', undefined],
    ['is empty', {}],
    ['has no kind', { apiVersion: 'modelberth.dev/v1alpha1', metadata: { name: 'a' }, spec: {} }],
    ['has metadata that are text', { ...replicaXr, metadata: 'text' }],
    ['has a number as apiVersion', { ...replicaXr, apiVersion: 1 }],
  ];
  test.each(rows)('%s', (_name, xr) => {
    const { xr: _xr, ...rest } = parts;
    const { response, subject } = runEncoded('rollout-strategy', dropAll, xr === undefined ? rest : { ...rest, xr });
    expect(subject).toBeUndefined();
    expect({ ...response, desired: desiredObjects(response) }).toEqual({
      meta: { tag: 'a-tag', ttl: undefined },
      desired: { 'pool-a': poolAsDesired },
      results: [
        {
          severity: Severity.SEVERITY_FATAL,
          message: 'Cannot read the composite resource: it is no object',
          reason: 'InternalError',
          target: Target.TARGET_COMPOSITE,
        },
      ],
      conditions: [],
      context: { 'other.dev/entry': { a: 1 } },
      requirements: undefined,
      output: undefined,
    });
    expect(response.desired?.composite?.resource).toEqual({ status: parts.desiredStatus });
  });
});

interface FreezeRow {
  readonly name: string;
  readonly compose?: Compose;
  readonly input?: Record<string, unknown>;
  readonly context?: Record<string, unknown>;
  readonly reason: string;
  readonly message: RegExp;
}

const readEngine: Compose = (request) => {
  const read = request.handOff(engineEntry);
  if (read.state === 'Present') return dropAll(request);
  return freezeBecause({ resources: {} }, { type: 'RolledOut', reason: 'HandOffMissing', message: read.why });
};
const internal = /^Cannot compose: .+; report this with the log of the function$/;
const inputOf = (fields: Record<string, unknown>) => ({
  apiVersion: 'fn.modelberth.dev/v1alpha1',
  kind: 'RolloutStrategyInput',
  ...fields,
});

const freezes: readonly FreezeRow[] = [
  {
    name: 'it throws an error',
    compose: () => {
      throw new Error('no such field');
    },
    reason: 'InternalError',
    message: /^Cannot compose: no such field; report/,
  },
  {
    name: 'it throws what is no error',
    compose: () => {
      throw 'text';
    },
    reason: 'InternalError',
    message: /^Cannot compose: text; report/,
  },
  { name: 'it decides nothing at all', compose: () => undefined as never, reason: 'InternalError', message: internal },
  {
    name: 'a composed object holds a BigInt',
    compose: composing({ a: 1n }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'a composed object holds a function',
    compose: composing({ a: () => 1 }),
    reason: 'InternalError',
    message: internal,
  },
  { name: 'a composed object holds itself', compose: composing(cyclic), reason: 'InternalError', message: internal },
  {
    name: 'a composed object holds what is no number',
    compose: composing({ a: Number.NaN }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'a composed object has no kind',
    compose: () => ({
      ...nothing,
      composed: new Map([['workload-new', { object: {} as never, ready: true, state: 'Ready', why: '' }]]),
    }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'the status holds a BigInt',
    compose: () => ({ ...nothing, status: { revision: 1n } }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'the status holds itself',
    compose: () => ({ ...nothing, status: { revision: cyclic } }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'the status holds an endless number',
    compose: () => ({ ...nothing, status: { revision: Number.POSITIVE_INFINITY } }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'a hand-off holds a symbol',
    compose: () => ({ ...nothing, handOffs: [{ entry: engineEntry, value: Symbol('a') }] }),
    reason: 'InternalError',
    message: internal,
  },
  {
    name: 'the Input has a field that is none',
    input: inputOf({ ttlSecond: 5 }),
    reason: 'InvalidInput',
    message: /^Cannot use the Input of the rollout-strategy step: .*ttlSecond.*; fix it in the Composition$/,
  },
  {
    name: 'the Input has a value out of bounds',
    input: inputOf({ ttlSeconds: 61 }),
    reason: 'InvalidInput',
    message:
      /^Cannot use the Input of the rollout-strategy step: input\.ttlSeconds: .*60.*; fix it in the Composition$/,
  },
  {
    name: 'the Input is of another function',
    input: { apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources' },
    reason: 'InvalidInput',
    message: /input\.apiVersion: .*fn\.modelberth\.dev\/v1alpha1.*input\.kind: .*Input/,
  },
  {
    name: 'the hand-off is missing',
    compose: readEngine,
    reason: 'HandOffMissing',
    message: /^Cannot read context "modelberth\.dev\/engine": the engine-config step could not decide/,
  },
  {
    name: 'the hand-off is foreign',
    compose: readEngine,
    context: { 'modelberth.dev/engine': 'text' },
    reason: 'HandOffMissing',
    message: /^Cannot read context "modelberth\.dev\/engine": it was not written by engine-config$/,
  },
  {
    name: 'the hand-off is of another version',
    compose: readEngine,
    context: { 'modelberth.dev/engine': { version: 2, value: {} } },
    reason: 'HandOffMissing',
    message: /found version 2, want 1; run the same version of every function$/,
  },
  {
    name: 'the hand-off has a value of another form',
    compose: readEngine,
    context: { 'modelberth.dev/engine': { version: 1, value: { rendered: { revision: 7 } } } },
    reason: 'HandOffMissing',
    message: /rendered\.revision.*; run the same version of every function$/s,
  },
];

describe('S1 a step keeps what it rendered last, says why, and is never fatal when', () => {
  test.each(freezes)('$name', ({ compose = dropAll, input, context = {}, reason, message }) => {
    const asked = { ...parts, context: { ...parts.context, ...context }, ...(input === undefined ? {} : { input }) };
    const { response, errors } = runEncoded('rollout-strategy', compose, asked);
    expect(desiredObjects(response)).toEqual({ 'pool-a': poolAsDesired, 'workload-engine': workloadAsRendered, stray });
    expect(conditionsOf(response)).toEqual([
      { type: 'RolledOut', status: 'Unknown', reason, message: expect.stringMatching(message) },
    ]);
    expect(response.results.map((result) => result.severity)).toEqual([Severity.SEVERITY_WARNING]);
    expect(response.desired?.composite?.resource?.status).toEqual({
      fit: { verdict: 'Fit' },
      revision: { current: 'abc' },
      lastFailure: 'out of memory',
      resources: [
        { name: 'a', kind: 'NodeGroup', state: 'Usable', why: 'joined' },
        { name: 'stray', kind: 'ConfigMap', state: 'Held', why: 'no step of this version owns it' },
        { name: 'llama-0', kind: 'Deployment', state: 'Held', why: 'held as it was last rendered' },
      ],
    });
    expect(response.context).toEqual(asked.context);
    expect(errors.length).toBe(reason === 'InternalError' ? 1 : 0);
  });
});

const badKey = { manager, operation: 'Apply', fieldsV1: { 'f:spec': { 'f:list': { 'k:{': {} } } } };

describe('S1 a step is not fatal when an observed composed resource', () => {
  const rows: readonly [string, Record<string, unknown>][] = [
    ['has managed fields that are text', { ...workload, metadata: { ...workload.metadata, managedFields: 'text' } }],
    [
      'has managed fields with a key that is no JSON',
      { ...workload, metadata: { ...workload.metadata, managedFields: [badKey] }, spec: { list: [{ name: 'a' }] } },
    ],
    ['has labels that are text', { ...workload, metadata: { ...workload.metadata, labels: 'text' } }],
    ['has annotations that are text', { ...workload, metadata: { ...workload.metadata, annotations: 'text' } }],
  ];
  test.each(rows)('%s', (_name, object) => {
    const asked = { ...parts, observed: { ...parts.observed, 'workload-engine': object } };
    const { response } = runEncoded('rollout-strategy', () => nothing, asked);
    expect(Object.keys(desiredObjects(response)).sort()).toEqual(['pool-a', 'stray', 'workload-engine']);
    expect(response.results.map((result) => result.severity)).not.toContain(Severity.SEVERITY_FATAL);
  });
});

test('S1 an observed composed resource that is no object stays desired, or the call is fatal', () => {
  const asked = { ...parts, observed: { ...parts.observed, 'workload-engine': { kind: 'Deployment' } } };
  const { response } = runEncoded('rollout-strategy', () => nothing, asked);
  const isFatal = response.results.some((result) => result.severity === Severity.SEVERITY_FATAL);
  expect({ isFatal, keys: Object.keys(desiredObjects(response)) }).toSatisfy(
    (answer: { isFatal: boolean; keys: string[] }) => answer.isFatal || answer.keys.includes('workload-engine'),
  );
});

describe('S3 the calls of one reconcile settle when', () => {
  const fetch: Fetch = { resources: () => [pool as never], schema: () => undefined };
  const requirements = { resources: { nodes: { apiVersion: 'v1', kind: 'Node' } } };
  const waitThen = (compose: Compose): Compose => {
    return (request) => {
      if (request.required('nodes').state !== 'Unresolved') return compose(request);
      return freezeBecause(requirements, { type: 'RolledOut', reason: 'WaitingForRequired', message: 'Waiting' });
    };
  };
  const live = { type: 'RolledOut', status: 'True', reason: 'RevisionLive', message: '' } as const;
  /** As an InferenceGateway asks for its issuer: only once the cluster says that the kind exists. */
  const more = { resources: { ...requirements.resources, issuer: { apiVersion: 'v1', kind: 'Issuer' } } };
  const rows: readonly [string, Compose, string][] = [
    ['the step decides', () => ({ ...nothing, requirements, conditions: [live] }), 'RevisionLive'],
    [
      'the step throws as soon as its required objects are there',
      () => {
        throw new Error('cannot read a node');
      },
      'InternalError',
    ],
    [
      'the step throws once what it requires second is there too',
      (request) => {
        if (request.required('issuer').state !== 'Unresolved') throw new Error('cannot read an issuer');
        return { ...nothing, requirements: more, conditions: [live] };
      },
      'InternalError',
    ],
    [
      'what it decides then cannot be written',
      () => ({ ...nothing, requirements, status: { revision: 1n } }),
      'InternalError',
    ],
  ];
  test.each(rows)('%s', async (_name, compose, reason) => {
    let calls = 0;
    const response = await runStep(
      RunFunctionRequest.decode(encodeRequest({ xr: replicaXr, observed: { 'workload-engine': workload } })),
      async (request) => {
        calls += 1;
        return runEncoded('rollout-strategy', waitThen(compose), RunFunctionRequest.encode(request).finish()).response;
      },
      fetch,
    );
    expect(response.conditions.map((condition) => condition.reason)).toEqual([reason]);
    expect(calls).toBeLessThanOrEqual(4);
  });
});

test('S4 a step is told the time and the chance of the server, and no other', () => {
  const compose: Compose = ({ now, randomKey }) => ({
    ...nothing,
    status: { revision: `${now.toISOString()} ${randomKey()}` },
  });
  const { response } = runEncoded('rollout-strategy', compose, { xr: replicaXr });
  expect(response.desired?.composite?.resource?.status).toEqual({
    revision: `${callTime.toISOString()} a-random-key`,
  });
});

describe('the subject of an answer', () => {
  const rows: readonly [string, Record<string, unknown>, unknown][] = [
    ['has a namespace when the XR has one', replicaXr, { kind: 'ModelReplica', namespace: 'chat', name: 'llama-0' }],
    [
      'has none when the XR is of the whole cluster',
      { ...replicaXr, metadata: { name: 'l4' } },
      { kind: 'ModelReplica', name: 'l4' },
    ],
  ];
  test.each(rows)('%s', (_name, xr, subject) => {
    expect(runEncoded('rollout-strategy', () => nothing, { xr }).subject).toEqual(subject);
  });
});
