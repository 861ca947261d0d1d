import { RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { describe, expect, test } from 'vitest';
import { receive } from '../test/over-the-wire.ts';
import { encodeRequest, type RequestParts, replicaXr } from '../test/run-encoded.ts';
import type { ComposeRequest } from './compose.ts';
import { assignmentEntry } from './hand-offs.ts';
import { readRequest } from './read-request.ts';
import { decodeRequest } from './wire/fn-messages.ts';

const now = new Date('2026-12-01T12:00:00Z');
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };

function read(parts: RequestParts): ComposeRequest {
  const request = decodeRequest(encodeRequest({ xr: replicaXr, ...parts }));
  const result = readRequest(request, { now: () => now, randomKey: () => 'key' });
  if (result.state === 'Unreadable') throw new Error(result.why);
  return result.request;
}

function readSchemas(schemas: RunFunctionRequest['requiredSchemas']): ComposeRequest {
  const request = { ...RunFunctionRequest.decode(encodeRequest({ xr: replicaXr })), requiredSchemas: schemas };
  const result = readRequest(receive(request), { now: () => now, randomKey: () => 'key' });
  if (result.state === 'Unreadable') throw new Error(result.why);
  return result.request;
}

describe('S1 a requirement is', () => {
  const rows: readonly [string, RequestParts['required'], unknown][] = [
    ['Unresolved when core has not looked yet', {}, { state: 'Unresolved' }],
    ['Absent when core looked and found nothing', { nodes: [] }, { state: 'Absent' }],
    [
      'Present with every object that core found',
      { nodes: [node, { ...node, metadata: { name: 'b' } }] },
      { state: 'Present', objects: [node, { ...node, metadata: { name: 'b' } }] },
    ],
    [
      'Unresolved when what core found cannot be read: that proves no absence',
      { nodes: [{ kind: 'Node' }] },
      { state: 'Unresolved' },
    ],
    [
      'Unresolved when one of many objects cannot be read',
      { nodes: [node, { kind: 'Node' }] },
      { state: 'Unresolved' },
    ],
  ];
  test.each(rows)('%s', (_name, required = {}, expected) => {
    expect(read({ required }).required('nodes')).toEqual(expected);
  });

  test('Unresolved when its name is one that every object has', () => {
    expect(read({}).required('constructor')).toEqual({ state: 'Unresolved' });
    expect(read({}).requiredSchema('toString')).toBe('Unresolved');
  });
});

describe('S1 a required schema is', () => {
  const rows: readonly [string, RunFunctionRequest['requiredSchemas'], string][] = [
    ['Unresolved when core has not looked yet', {}, 'Unresolved'],
    ['Absent when core does not know the kind', { A: { openapiV3: undefined } }, 'Absent'],
    ['Present when core knows the kind', { A: { openapiV3: { type: 'object' } } }, 'Present'],
  ];
  test.each(rows)('%s', (_name, schemas, state) => {
    expect(readSchemas(schemas).requiredSchema('A')).toBe(state);
  });
});

test('an observed resource is all that was sent, with who owns its fields', () => {
  const stored = { ...node, metadata: { name: 'a', managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': {} } }] } };
  const { observed } = read({ observed: { a: stored, b: node } });
  expect([observed.get('a'), observed.get('b'), observed.get('c')]).toEqual([stored, node, undefined]);
  expect(Object.keys(observed.get('a')?.metadata ?? {})).toEqual(['name', 'managedFields']);
});

test('S3 observed composed resources are sorted by key', () => {
  expect([...read({ observed: { 'z-b': node, 'a-b': node, 'm-b': node } }).observed.keys()]).toEqual([
    'a-b',
    'm-b',
    'z-b',
  ]);
});

test('a request says the XR as it is, the time, the chance and the context', () => {
  const context = { 'modelberth.dev/assignment': { version: 1, value: { clusterName: 'europe' } } };
  const request = read({ context });
  expect({ xr: request.xr, now: request.now, key: request.randomKey() }).toEqual({ xr: replicaXr, now, key: 'key' });
  expect(request.handOff(assignmentEntry)).toEqual({ state: 'Present', value: { clusterName: 'europe' } });
});

test('without a context every hand-off is missing', () => {
  expect(read({}).handOff(assignmentEntry).state).toBe('Missing');
});
