import {
  Ready,
  RunFunctionRequest,
  type RunFunctionResponse,
  Severity,
  Status,
  Target,
} from '@crossplane-org/function-sdk-typescript';
import { describe, expect, test } from 'vitest';
import { receive, send } from '../test/over-the-wire.ts';
import type { Composed } from './compose.ts';
import { assignmentEntry } from './hand-offs.ts';
import type { Settled } from './settle-decision.ts';
import { ttlSeconds, writeFatal, writeResponse } from './write-response.ts';

const nothing: Settled = {
  requirements: { resources: {} },
  composed: new Map(),
  rows: [],
  status: {},
  conditions: [],
  events: [],
  handOffs: [],
};

function requestWith(fields: Partial<RunFunctionRequest> = {}): RunFunctionRequest {
  const resource = {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata: { name: 'a' },
    status: { old: 1 },
  };
  const empty = RunFunctionRequest.decode(new Uint8Array());
  const observed = { composite: { resource, connectionDetails: {}, ready: 0 }, resources: {} };
  return { ...empty, meta: { tag: 'a-tag', capabilities: [] }, observed, ...fields };
}

/** The response as it arrives, to a request that came over the wire as well. */
function respond(request: RunFunctionRequest, settled: Settled, ttlCapSeconds: number): RunFunctionResponse {
  return send(writeResponse(receive(request), settled, ttlCapSeconds));
}

/** What an earlier step desired: one resource, and a status with one row. */
function desiredBefore(ready: Ready): NonNullable<RunFunctionRequest['desired']> {
  const status = { fit: { verdict: 'Fit' }, next: 'ask', resources: [{ name: 'pool' }] };
  return {
    composite: { resource: { status }, connectionDetails: {}, ready },
    resources: { 'pool-a': { resource: { kind: 'NodeGroup' }, connectionDetails: {}, ready: Ready.READY_TRUE } },
  };
}

describe('S4 ttlSeconds', () => {
  const rows: readonly [string, number | undefined, number, number][] = [
    ['is the cap when no moment matters', undefined, 60, 60],
    ['is the time to the moment that matters', 30, 60, 30],
    ['is the cap when the moment is later', 720, 60, 60],
    ['is the cap of the Input when that is shorter', 30, 20, 20],
    ['is never 0, which would mean no reconcile for an hour', 0, 60, 5],
    ['is 5 when the moment is over', -10, 60, 5],
    ['is 5 when the cap is shorter', undefined, 1, 5],
    ['is 60 when the cap is longer, so that lost events heal', 3600, 3600, 60],
    ['is whole seconds', 12.4, 60, 12],
  ];
  test.each(rows)('%s', (_name, wanted, cap, seconds) => {
    expect(ttlSeconds(wanted, cap)).toBe(seconds);
    const settled = wanted === undefined ? nothing : { ...nothing, wakeInSeconds: wanted };
    expect(respond(requestWith(), settled, cap).meta).toEqual({ tag: 'a-tag', ttl: { seconds, nanos: 0 } });
  });
});

describe('the desired state of a response', () => {
  const item: Composed = {
    object: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } },
    ready: false,
    state: 'Created',
    why: '',
  };

  test('S1 has what earlier steps desired, and the composed resources of this one', () => {
    const composed = new Map([
      ['engine-a', item],
      ['engine-b', { ...item, ready: true }],
    ]);
    expect(
      respond(requestWith({ desired: desiredBefore(Ready.READY_TRUE) }), { ...nothing, composed }, 60).desired
        ?.resources,
    ).toEqual({
      ...desiredBefore(Ready.READY_TRUE).resources,
      'engine-a': { resource: item.object, connectionDetails: {}, ready: Ready.READY_FALSE },
      'engine-b': { resource: item.object, connectionDetails: {}, ready: Ready.READY_TRUE },
    });
  });

  test('has the status of earlier steps with the fields and rows of this one, and nothing of the XR as observed', () => {
    const rows = [{ name: 's', kind: 'Service', state: 'Created', why: 'made' }] as const;
    const settled = { ...nothing, rows, status: { engine: { args: [] }, next: 'wait' } };
    expect(
      respond(requestWith({ desired: desiredBefore(Ready.READY_UNSPECIFIED) }), settled, 60).desired?.composite
        ?.resource,
    ).toEqual({
      apiVersion: 'modelberth.dev/v1alpha1',
      kind: 'ModelReplica',
      status: { fit: { verdict: 'Fit' }, engine: { args: [] }, next: 'wait', resources: [{ name: 'pool' }, ...rows] },
    });
  });

  test('has no list of resources when there is none', () => {
    expect(respond(requestWith(), { ...nothing, status: { fit: 1 } }, 60).desired?.composite?.resource?.status).toEqual(
      { fit: 1 },
    );
  });

  const readiness: readonly [string, Ready, boolean | undefined, Ready][] = [
    ['is not said when no step says it', Ready.READY_UNSPECIFIED, undefined, Ready.READY_UNSPECIFIED],
    ['stays as an earlier step said it', Ready.READY_FALSE, undefined, Ready.READY_FALSE],
    ['is True when this step knows', Ready.READY_FALSE, true, Ready.READY_TRUE],
    ['is False when this step knows better', Ready.READY_TRUE, false, Ready.READY_FALSE],
  ];
  test.each(readiness)('S5 readiness of the XR %s', (_name, before, ready, after) => {
    const settled = ready === undefined ? nothing : { ...nothing, ready };
    expect(respond(requestWith({ desired: desiredBefore(before) }), settled, 60).desired?.composite?.ready).toBe(after);
  });
});

describe('conditions and events', () => {
  const statuses = [
    ['True', Status.STATUS_CONDITION_TRUE],
    ['False', Status.STATUS_CONDITION_FALSE],
    ['Unknown', Status.STATUS_CONDITION_UNKNOWN],
  ] as const;
  test.each(statuses)('a condition that is %s is written for the XR', (status, written) => {
    const condition = { type: 'Placed', status, reason: 'NodesUsable', message: '1 of 1' } as const;
    expect(respond(requestWith(), { ...nothing, conditions: [condition] }, 60).conditions).toEqual([
      { type: 'Placed', status: written, reason: 'NodesUsable', message: '1 of 1', target: Target.TARGET_COMPOSITE },
    ]);
  });

  const severities = [
    ['Normal', Severity.SEVERITY_NORMAL],
    ['Warning', Severity.SEVERITY_WARNING],
  ] as const;
  test.each(severities)('an event that is %s is a result and never fatal', (severity, written) => {
    const event = { severity, reason: 'NodesUsable', message: 'Placed: 1 of 1' };
    expect(respond(requestWith(), { ...nothing, events: [event] }, 60).results).toEqual([
      { severity: written, reason: 'NodesUsable', message: 'Placed: 1 of 1', target: Target.TARGET_COMPOSITE },
    ]);
  });
});

describe('the context of a response', () => {
  const handOffs = [{ entry: assignmentEntry, value: { clusterName: 'europe' } }];
  const written = { 'modelberth.dev/assignment': { version: 1, value: { clusterName: 'europe' } } };
  const rows: readonly [string, Record<string, unknown> | undefined, Settled['handOffs'], unknown][] = [
    ['is unset when there is none and nothing is handed over', undefined, [], undefined],
    ['stays as it was when nothing is handed over', { a: 1 }, [], { a: 1 }],
    ['is made by the first hand-off', undefined, handOffs, written],
    ['keeps the entries of others', { a: 1 }, handOffs, { a: 1, ...written }],
    ['replaces an older entry of the same key', { 'modelberth.dev/assignment': { version: 0 } }, handOffs, written],
  ];
  test.each(rows)('%s', (_name, context, given, expected) => {
    expect(respond(requestWith({ context }), { ...nothing, handOffs: given }, 60).context).toEqual(expected);
  });
});

describe('S3 the requirements of a response', () => {
  const unset = { matchName: undefined, matchLabels: undefined, namespace: undefined };
  const node = { apiVersion: 'v1', kind: 'Node' };
  const rows: readonly [string, Settled['requirements'], unknown][] = [
    ['are unset when nothing is required, since an empty message costs a call', { resources: {} }, undefined],
    ['are unset when no schema is required either', { resources: {}, schemas: {} }, undefined],
    [
      'select by name',
      { resources: { cluster: { ...node, matchName: 'a', namespace: 'b' } } },
      {
        extraResources: {},
        resources: { cluster: { ...unset, ...node, matchName: 'a', namespace: 'b' } },
        schemas: {},
      },
    ],
    [
      'select by labels',
      { resources: { nodes: { ...node, matchLabels: { a: 'b' } } } },
      {
        extraResources: {},
        resources: { nodes: { ...unset, ...node, matchLabels: { labels: { a: 'b' } } } },
        schemas: {},
      },
    ],
    [
      'select every object of a namespace by no label',
      { resources: { services: { ...node, matchLabels: {}, namespace: 'b' } } },
      {
        extraResources: {},
        resources: { services: { ...unset, ...node, matchLabels: { labels: {} }, namespace: 'b' } },
        schemas: {},
      },
    ],
    [
      'name schemas',
      { resources: {}, schemas: { A: node } },
      { extraResources: {}, resources: {}, schemas: { A: node } },
    ],
  ];
  test.each(rows)('%s', (_name, requirements, written) => {
    expect(respond(requestWith(), { ...nothing, requirements }, 60).requirements).toEqual(written);
  });
});

test('S1 a fatal passes on what was desired and the context, and asks for nothing', () => {
  const desired = desiredBefore(Ready.READY_TRUE);
  const request = requestWith({ desired, context: { a: 1 } });
  expect(send(writeFatal(receive(request), 'No object'))).toEqual({
    meta: { tag: 'a-tag', ttl: undefined },
    desired,
    results: [
      {
        severity: Severity.SEVERITY_FATAL,
        message: 'No object',
        reason: 'InternalError',
        target: Target.TARGET_COMPOSITE,
      },
    ],
    conditions: [],
    context: { a: 1 },
    requirements: undefined,
    output: undefined,
  });
});
