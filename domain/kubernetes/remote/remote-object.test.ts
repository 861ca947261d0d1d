import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../object.ts';
import { restoreRendered } from '../owned-fields.ts';
import { Access } from './access.ts';
import {
  askedManifest,
  isWrapped,
  judgeSight,
  type RemoteManifest,
  refusalOf,
  seenManifest,
  wrapManifest,
} from './remote-object.ts';

const access = Access.parse({ type: 'Remote', providerConfigName: 'tokyo', namespacePrefix: 'hub-' });
const service: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'llama-0', labels: { team: 'chat' } },
  spec: { clusterIP: 'None' },
};

function wrap(parts: Partial<RemoteManifest> = {}): KubernetesObject {
  return wrapManifest({ access, manifest: service, namespace: 'chat', owner: 'llama-0', ...parts });
}

test('a manifest goes into an Object in the namespace of its XR, with its namespace on the cluster', () => {
  expect(wrap()).toEqual({
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: { name: 'llama-0-service', namespace: 'chat', labels: { team: 'chat' } },
    spec: {
      forProvider: { manifest: { ...service, metadata: { ...service.metadata, namespace: 'hub-chat' } } },
      managementPolicies: ['*'],
      providerConfigRef: { kind: 'ClusterProviderConfig', name: 'tokyo' },
    },
  });
});

test('S1 a namespace is made and never taken away, by an Object of each XR that needs it', () => {
  const manifest: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hub-chat' } };
  expect(wrap({ manifest, owner: 'qwen-1' })).toMatchObject({
    metadata: { name: 'qwen-1-namespace', namespace: 'chat' },
    spec: { forProvider: { manifest }, managementPolicies: ['Observe', 'Create', 'Update'] },
  });
});

test('a kind without a namespace gets none, and a stated namespace is kept behind the prefix', () => {
  const gatewayClass = { ...service, kind: 'GatewayClass' };
  expect(askedManifest(wrap({ manifest: gatewayClass }))?.metadata.namespace).toBeUndefined();
  const stated = { ...service, metadata: { name: 'a', namespace: 'gateways' } };
  expect(askedManifest(wrap({ manifest: stated }))?.metadata.namespace).toBe('hub-gateways');
});

test('S2 two manifests of one namespace never share an Object unless they are the same object', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
  const kind = fc.constantFrom('Service', 'Deployment', 'NetworkPolicy', 'ResourceClaimTemplate', 'PodMonitor');
  fc.assert(
    fc.property(fc.tuple(name, kind), fc.tuple(name, kind), ([nameA, kindA], [nameB, kindB]) => {
      const objectOf = (named: string, kinded: string) =>
        wrap({ manifest: { ...service, kind: kinded, metadata: { name: named } } }).metadata.name;
      const isSame = nameA === nameB && kindA === kindB;
      expect(objectOf(nameA, kindA) === objectOf(nameB, kindB)).toBe(isSame);
    }),
  );
});

function synced(status: string, message?: string): KubernetesObject {
  const condition = { type: 'Synced', status, ...(message === undefined ? {} : { message }) };
  return { ...wrap(), status: { conditions: [{ type: 'Ready', status: 'True' }, condition] } };
}

describe('S7 judgeSight', () => {
  const current = { state: 'Current' };
  const rows: readonly [string, KubernetesObject, unknown][] = [
    ['takes Synced for sight', synced('True'), current],
    ['has none before the provider has looked', wrap(), { state: 'NotYet' }],
    ['has none where the status cannot be read', { ...wrap(), status: 'unreadable' }, { state: 'NotYet' }],
    ['has none where Synced is Unknown', synced('Unknown'), { state: 'NotYet' }],
    [
      'is blind where the provider does not reach the cluster',
      synced('False', 'connect failed: Unauthorized'),
      { state: 'Stale', why: 'connect failed: Unauthorized' },
    ],
    [
      'is blind where the object cannot be read',
      synced('False', 'observe failed: cannot get object: timeout'),
      { state: 'Stale', why: 'observe failed: cannot get object: timeout' },
    ],
    ['is blind for an unknown reason', synced('False', 'something new'), { state: 'Stale', why: 'something new' }],
    ['is blind for no reason', synced('False'), { state: 'Stale', why: 'it gives no reason' }],
    ['sees what the cluster refuses to create', synced('False', 'create failed: forbidden'), current],
    ['sees what the cluster refuses to change', synced('False', 'update failed: invalid'), current],
    [
      'sees what the cluster refuses in a dry run',
      synced('False', 'observe failed: cannot get desired state: cannot dry run SSA: invalid'),
      current,
    ],
    ['sees that there is nothing', synced('False', 'observe failed: external resource does not exist'), current],
  ];
  test.each(rows)('%s', (_name, object, sight) => {
    expect(judgeSight(object)).toEqual(sight);
  });
});

test('S6 refusalOf repeats what the cluster says, and nothing of a cluster that is out of sight', () => {
  expect(refusalOf(synced('False', 'update failed: invalid'))).toBe('update failed: invalid');
  expect(refusalOf(synced('False', `create failed: ${'x'.repeat(999)}`))).toHaveLength(300);
  expect([synced('True'), synced('False', 'connect failed: x'), wrap()].map(refusalOf)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('S5 what was asked for is never taken for what was seen', () => {
  expect(seenManifest(wrap())).toBeUndefined();
  const seen = { ...service, status: { loadBalancer: {} } };
  expect(seenManifest({ ...wrap(), status: { atProvider: { manifest: seen } } })).toEqual(seen);
  expect(askedManifest({ ...wrap(), spec: 'unreadable' })).toBeUndefined();
});

test('isWrapped knows the Objects of provider-kubernetes only', () => {
  expect([wrap(), service, { ...wrap(), apiVersion: 'other.example/v1' }].map(isWrapped)).toEqual([true, false, false]);
});

test('S1 an Object is restored with the whole manifest, by the fields that core owns', () => {
  const rendered = wrap();
  const observed: KubernetesObject = {
    ...rendered,
    metadata: {
      ...rendered.metadata,
      annotations: { 'crossplane.io/external-name': 'llama-0-service' },
      managedFields: [
        {
          manager: 'apiextensions.crossplane.io/composed/llama',
          operation: 'Apply',
          fieldsV1: {
            'f:metadata': { 'f:labels': { 'f:team': {} } },
            'f:spec': {
              'f:forProvider': {
                'f:manifest': {
                  'f:apiVersion': {},
                  'f:kind': {},
                  'f:metadata': { 'f:name': {}, 'f:namespace': {}, 'f:labels': { 'f:team': {} } },
                  'f:spec': { 'f:clusterIP': {} },
                },
              },
              'f:managementPolicies': {},
              'f:providerConfigRef': { 'f:kind': {}, 'f:name': {} },
            },
          },
        },
      ],
    },
    spec: { ...(rendered.spec as object), readiness: { policy: 'SuccessfulCreate' }, watch: false },
    status: { atProvider: { manifest: service } },
  };
  expect(restoreRendered(observed)).toEqual(rendered);
});
