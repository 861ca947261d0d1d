import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../object.ts';
import { Access } from './access.ts';
import { type ClusterList, collectionName, memberLabels, readSeen, renderCollection } from './observed-list.ts';

const access = Access.parse({ type: 'Remote', providerConfigName: 'tokyo' });
const owner = { kind: 'ModelReplica', name: 'llama-0', namespace: 'chat' };
const pods: ClusterList = {
  name: 'pods',
  apiVersion: 'v1',
  kind: 'Pod',
  selector: { matchLabels: { replica: 'chat.llama-0' } },
  namespace: 'chat',
};
const now = new Date('2026-12-01T12:00:00Z');

test('a list is a collection whose members carry our label, by which they are found', () => {
  const name = collectionName(owner, pods);
  expect(name).toMatch(/^llama-0-pods-[0-9a-f]{8}$/);
  expect(memberLabels(owner, pods)).toEqual({ 'modelberth.dev/observed-by': name });
  expect(renderCollection(access, owner, pods)).toEqual({
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'ObservedObjectCollection',
    metadata: { name, namespace: 'chat', labels: { 'app.kubernetes.io/managed-by': 'modelberth' } },
    spec: {
      observeObjects: { apiVersion: 'v1', kind: 'Pod', selector: pods.selector, namespace: 'chat' },
      objectTemplate: { metadata: { labels: { 'modelberth.dev/observed-by': name } } },
      providerConfigRef: { kind: 'ClusterProviderConfig', name: 'tokyo' },
    },
  });
});

test('S2 owners of another kind, name or namespace have collections of their own', () => {
  const others = [
    owner,
    { ...owner, kind: 'InferenceCluster' },
    { ...owner, namespace: 'code' },
    { ...owner, name: 'llama-1' },
  ];
  const names = others.flatMap((each) => [collectionName(each, pods), collectionName(each, { name: 'nodes' })]);
  expect(new Set(names).size).toBe(8);
});

function collection(status: string, lastTransitionTime?: string, message = ''): KubernetesObject {
  const condition = {
    type: 'Synced',
    status,
    message,
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
  };
  return { ...renderCollection(access, owner, pods), status: { conditions: [condition] } };
}

const pod: KubernetesObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const member: KubernetesObject = {
  apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
  kind: 'Object',
  metadata: { name: 'm' },
  status: { atProvider: { manifest: pod } },
};
const unread = { ...member, status: {} };
const long = '2026-12-01T11:00:00Z';

describe('S1 S7 readSeen', () => {
  const unseen = { state: 'NotObserved', why: 'provider-kubernetes has not listed it yet' };
  const rows: readonly [string, KubernetesObject | undefined, readonly KubernetesObject[], unknown][] = [
    ['gives what the provider found', collection('True', long), [member], { state: 'Seen', objects: [pod] }],
    ['proves an absence', collection('True', long), [], { state: 'Seen', objects: [] }],
    [
      'proves nothing before the collection exists',
      undefined,
      [],
      { state: 'NotObserved', why: 'provider-kubernetes has not been asked yet' },
    ],
    ['proves nothing before the provider has looked', renderCollection(access, owner, pods), [member], unseen],
    ['proves nothing in the moment after the first look', collection('True', '2026-12-01T11:59:50Z'), [], unseen],
    ['proves nothing without a time that can be read', collection('True'), [], unseen],
    [
      'proves nothing while a member has not been read',
      collection('True', long),
      [member, unread],
      { state: 'NotObserved', why: '1 of its 2 objects have not been read yet' },
    ],
    [
      'is stale where the provider fails, whatever it found before',
      collection('False', long, 'error fetching objects: forbidden'),
      [member],
      { state: 'Stale', why: 'error fetching objects: forbidden' },
    ],
  ];
  test.each(rows)('%s', (_name, object, members, seen) => {
    expect(readSeen(object, members, now)).toEqual(seen);
  });
});
