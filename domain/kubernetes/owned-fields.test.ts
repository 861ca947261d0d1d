import { expect, test } from 'vitest';
import type { JsonObject, KubernetesObject, ManagedFieldsEntry, ObjectMeta } from './object.ts';
import { ownAnnotations, restoreRendered } from './owned-fields.ts';

const composed = 'apiextensions.crossplane.io/composed/0f1e';

/** Fields that core's manager of composed resources owns by server-side apply. */
function ours(fieldsV1: JsonObject, manager = composed): ManagedFieldsEntry {
  return { manager, operation: 'Apply', fieldsV1 };
}

interface Sample {
  readonly spec: JsonObject;
  readonly status?: JsonObject;
  readonly owned: readonly ManagedFieldsEntry[];
  readonly metadata?: ObjectMeta;
}

function observed({ spec, status, owned, metadata }: Sample): KubernetesObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata: { name: 'a', namespace: 'chat', managedFields: owned, ...metadata },
    spec,
    ...(status === undefined ? {} : { status }),
  };
}

function specOf(fieldsV1: JsonObject): ManagedFieldsEntry[] {
  return [ours({ 'f:spec': fieldsV1 })];
}

const kubectl: ManagedFieldsEntry = {
  manager: 'kubectl-edit',
  operation: 'Update',
  fieldsV1: { 'f:spec': { 'f:theirs': {} } },
};

const picked: readonly [string, Sample, JsonObject | undefined][] = [
  [
    'a map is granular',
    { spec: { map: { ours: 1, theirs: 2 } }, owned: specOf({ 'f:map': { 'f:ours': {} } }) },
    { map: { ours: 1 } },
  ],
  [
    'a map is atomic',
    { spec: { map: { a: { b: [1] } }, other: 1 }, owned: specOf({ 'f:map': {} }) },
    { map: { a: { b: [1] } } },
  ],
  ['a list is atomic', { spec: { list: ['b', 'a', 'b'] }, owned: specOf({ 'f:list': {} }) }, { list: ['b', 'a', 'b'] }],
  [
    'a list is by key',
    {
      spec: {
        list: [
          { name: 'theirs', size: 1 },
          { name: 'ours', size: 2, defaulted: true },
        ],
      },
      owned: specOf({ 'f:list': { 'k:{"name":"ours"}': { '.': {}, 'f:name': {}, 'f:size': {} } } }),
    },
    { list: [{ name: 'ours', size: 2 }] },
  ],
  [
    'a list is by two keys',
    {
      spec: {
        ports: [
          { port: 8000, protocol: 'UDP', name: 'theirs' },
          { port: 8000, protocol: 'TCP', name: 'ours' },
        ],
      },
      owned: specOf({ 'f:ports': { 'k:{"port":8000,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } } }),
    },
    { ports: [{ port: 8000, protocol: 'TCP', name: 'ours' }] },
  ],
  [
    'an item by key has nothing but its key',
    {
      spec: { list: [{ name: 'ours', defaulted: true }] },
      owned: specOf({ 'f:list': { 'k:{"name":"ours"}': { '.': {}, 'f:name': {} } } }),
    },
    { list: [{ name: 'ours' }] },
  ],
  [
    'a list is a set of values',
    { spec: { set: ['theirs', 'ours', 'both'] }, owned: specOf({ 'f:set': { 'v:"both"': {}, 'v:"ours"': {} } }) },
    { set: ['ours', 'both'] },
  ],
  [
    'a set has numbers and texts that look like them',
    { spec: { set: ['1', 1, 2] }, owned: specOf({ 'f:set': { 'v:1': {} } }) },
    { set: [1] },
  ],
  [
    // As k8s.io/apimachinery v0.35.3 writes the value "a<b": Go escapes <, > and & (run 2026-12-02).
    'the API server escapes a value of a set',
    { spec: { set: ['a<b', 'c'] }, owned: specOf({ 'f:set': { 'v:"a\\u003cb"': {} } }) },
    { set: ['a<b'] },
  ],
  ['a list is by index', { spec: { list: ['a', 'b'] }, owned: specOf({ 'f:list': { 'i:1': {} } }) }, { list: ['b'] }],
  [
    'a marker names the map itself beside its fields',
    { spec: { map: { ours: 1, theirs: 2 } }, owned: specOf({ 'f:map': { '.': {}, 'f:ours': {} } }) },
    { map: { ours: 1 } },
  ],
  [
    'a value is null, false, zero or empty',
    {
      spec: { none: null, off: false, zero: 0, empty: '', theirs: 1 },
      owned: specOf({ 'f:none': {}, 'f:off': {}, 'f:zero': {}, 'f:empty': {} }),
    },
    { none: null, off: false, zero: 0, empty: '' },
  ],
  ['a field is gone', { spec: { a: 1 }, owned: specOf({ 'f:a': {}, 'f:gone': { 'f:deep': {} } }) }, { a: 1 }],
  [
    'two entries are ours',
    {
      spec: { map: { first: 1, second: 2, theirs: 3 } },
      owned: [
        ours({ 'f:spec': { 'f:map': { 'f:first': {} } } }),
        ours({ 'f:spec': { 'f:map': { 'f:second': {} } } }, 'apiextensions.crossplane.io/composed/beef'),
      ],
    },
    { map: { first: 1, second: 2 } },
  ],
  [
    'another manager owns by update',
    { spec: { a: 1, theirs: 2 }, owned: [...specOf({ 'f:a': {} }), kubectl] },
    { a: 1 },
  ],
  [
    'another manager owns by apply',
    {
      spec: { a: 1, theirs: 2 },
      owned: [...specOf({ 'f:a': {} }), ours({ 'f:spec': { 'f:theirs': {} } }, 'argocd-controller')],
    },
    { a: 1 },
  ],
  [
    'our own name updated without applying',
    {
      spec: { a: 1, theirs: 2 },
      owned: [
        ...specOf({ 'f:a': {} }),
        { manager: composed, operation: 'Update', fieldsV1: { 'f:spec': { 'f:theirs': {} } } },
      ],
    },
    { a: 1 },
  ],
  [
    'an empty map that we applied was filled by somebody else',
    {
      spec: { map: { theirs: 1 }, a: 1 },
      owned: [
        ...specOf({ 'f:a': {}, 'f:map': {} }),
        { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:map': { 'f:theirs': {} } } } },
      ],
    },
    { a: 1, map: {} },
  ],
  ['others own every field', { spec: { theirs: 1, defaulted: 2 }, owned: [kubectl] }, undefined],
];

test.each(picked)('S1 restoreRendered gives back exactly what we own when %s', (_name, sample, spec) => {
  expect(restoreRendered(observed(sample))).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata: { name: 'a', namespace: 'chat' },
    ...(spec === undefined ? {} : { spec }),
  });
});

test('S1 restoreRendered never gives back status when a subresource entry of ours owns it', () => {
  const restored = restoreRendered(
    observed({
      spec: { a: 1 },
      status: { ready: true },
      owned: [
        ...specOf({ 'f:a': {} }),
        { ...ours({ 'f:status': { 'f:ready': {} }, 'f:spec': { 'f:theirs': {} } }), subresource: 'status' },
      ],
    }),
  );
  expect(restored).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata: { name: 'a', namespace: 'chat' },
    spec: { a: 1 },
  });
});

const labels = {
  'crossplane.io/composite': 'llama-0',
  'crossplane.io/claim-name': 'llama',
  'crossplane.io/claim-namespace': 'chat',
  'crossplane.io/in-use': 'true',
  'modelberth.dev/replica': 'chat-llama-0',
  team: 'search',
};
const annotations = {
  'crossplane.io/composition-resource-name': 'pool-a',
  'crossplane.io/external-name': 'a',
  'crossplane.io/external-create-succeeded': '2026-12-01T10:00:00Z',
  'kubectl.kubernetes.io/last-applied-configuration': '{}',
  'modelberth.dev/asked-at': '2026-12-01T10:00:00Z',
  note: 'by a person',
};
const metadata: ObjectMeta = {
  name: 'a',
  namespace: 'chat',
  uid: 'u-1',
  generation: 3,
  creationTimestamp: '2026-12-01T10:00:00Z',
  labels,
  annotations,
  ownerReferences: [{ apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelReplica', name: 'llama-0', uid: 'u-0' }],
};

function ownedNames(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
}

test('S1 restoreRendered leaves out the metadata that core adds itself, and what a person added', () => {
  const fields = {
    'f:metadata': {
      'f:labels': ownedNames(Object.keys(labels).filter((name) => name !== 'team')),
      'f:annotations': ownedNames(Object.keys(annotations).filter((name) => name !== 'note')),
      'f:ownerReferences': { 'k:{"uid":"u-0"}': {} },
    },
    'f:spec': { 'f:a': {} },
  };
  const sample = observed({ spec: { a: 1 }, owned: [ours(fields)], metadata });
  expect(restoreRendered(sample)).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata: {
      name: 'a',
      namespace: 'chat',
      labels: { 'modelberth.dev/replica': 'chat-llama-0' },
      annotations: { 'crossplane.io/external-name': 'a', 'modelberth.dev/asked-at': '2026-12-01T10:00:00Z' },
    },
    spec: { a: 1 },
  });
});

test('S1 restoreRendered carries our annotations on when no entry names them', () => {
  const sample = observed({ spec: { a: 1 }, owned: specOf({ 'f:a': {} }), metadata: { annotations } });
  expect(restoreRendered(sample).metadata).toEqual({
    name: 'a',
    namespace: 'chat',
    annotations: { 'modelberth.dev/asked-at': '2026-12-01T10:00:00Z' },
  });
});

test('S1 restoreRendered keeps all but status and what core adds when nothing records owners', () => {
  const sample: KubernetesObject = {
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata,
    spec: { a: { b: [1] } },
    data: 'x',
    status: { ready: true },
  };
  expect(restoreRendered(sample)).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata: {
      name: 'a',
      namespace: 'chat',
      labels: { 'modelberth.dev/replica': 'chat-llama-0', team: 'search' },
      annotations: {
        'crossplane.io/external-name': 'a',
        'modelberth.dev/asked-at': '2026-12-01T10:00:00Z',
        note: 'by a person',
      },
    },
    spec: { a: { b: [1] } },
    data: 'x',
  });
});

const memories: readonly [string, Record<string, string> | undefined, Record<string, string>][] = [
  ['there are none', undefined, {}],
  ['all are of others', { note: 'x', 'crossplane.io/external-name': 'a' }, {}],
  ['some are ours', { note: 'x', 'modelberth.dev/asked-at': '' }, { 'modelberth.dev/asked-at': '' }],
  ['a domain only begins like ours', { 'modelberth.development/x': '1' }, {}],
];

test.each(memories)('S1 ownAnnotations finds our memory when %s', (_name, all, expected) => {
  const sample = observed({ spec: {}, owned: [], metadata: all === undefined ? {} : { annotations: all } });
  expect(ownAnnotations(sample)).toEqual(expected);
});
