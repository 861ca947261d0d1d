import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { Access } from '../../domain/kubernetes/remote/access.ts';
import { renderCollection } from '../../domain/kubernetes/remote/observed-list.ts';
import { wrapManifest } from '../../domain/kubernetes/remote/remote-object.ts';
import { type ComposeParts, composeRequest, helloObject, helloReplica, withSpec } from '../../test/compose-request.ts';
import { listsOf } from '../replica-lists.ts';
import { readPods } from './read-pods.ts';

const access = Access.parse({ type: 'Remote', providerConfigName: 'tokyo', namespacePrefix: 'hub-' });
const reachable = { type: 'Reachable', status: 'True', message: 'An API server was heard of' };

function cluster(condition?: object): KubernetesObject {
  const remote = withSpec(helloObject('InferenceCluster', 'europe'), { access });
  return condition === undefined ? remote : { ...remote, status: { conditions: [condition] } };
}

const pod: KubernetesObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'hub-chat' } };
const member: KubernetesObject = {
  apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
  kind: 'Object',
  metadata: { name: 'm' },
  status: { atProvider: { manifest: pod } },
};
const owner = { kind: 'ModelReplica', name: 'llama-0', namespace: 'chat' };
const lists = listsOf(owner, access);
const since = '2026-12-01T11:00:00Z';
const collection: KubernetesObject = {
  ...renderCollection(access, owner, lists.pods),
  status: { conditions: [{ type: 'Synced', status: 'True', lastTransitionTime: since }] },
};
const deployment: KubernetesObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'llama-0' } };
const wrapped = wrapManifest({ access, manifest: deployment, namespace: 'chat', owner: 'llama-0' });
const blind = {
  ...wrapped,
  status: {
    atProvider: { manifest: deployment },
    conditions: [{ type: 'Synced', status: 'False', message: 'connect failed: timeout' }],
  },
};

const seen = { pods: [], 'remote-pods': [member], cluster: [cluster(reachable)] };

function read(parts: Partial<ComposeParts>): unknown {
  const found = readPods(composeRequest({ xr: helloReplica, ...parts }));
  if (!('frozen' in found)) return found.pods;
  return found.conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
}

test('the pods of a Remote cluster are looked for in the namespace that stands for that of the replica', () => {
  expect(lists.pods).toMatchObject({ namespace: 'hub-chat' });
  expect(listsOf(owner).pods).toMatchObject({ namespace: 'chat' });
  expect(read({ required: seen, observed: { 'observe-pods': collection } })).toEqual([pod]);
});

describe('S5 S7 whether the engine answers is Unknown', () => {
  const both = (why: string) => [`RolledOut=Unknown ${why}`, `EngineReady=Unknown ${why}`];
  const rows: readonly [string, Partial<ComposeParts>, readonly string[]][] = [
    [
      'before the cluster has been looked at',
      { required: { ...seen, cluster: [cluster()] } },
      both('NotObserved: InferenceCluster "europe": it has not been looked at yet'),
    ],
    [
      'while the cluster is out of reach',
      { required: { ...seen, cluster: [cluster({ ...reachable, status: 'False', message: 'Cannot see it' })] } },
      both('Stale: InferenceCluster "europe": Cannot see it'),
    ],
    [
      'after a fatal of its InferenceCluster',
      { required: { ...seen, cluster: [cluster({ ...reachable, status: 'Unknown', message: 'FatalError' })] } },
      both('NotObserved: InferenceCluster "europe": FatalError'),
    ],
    [
      'while its Deployment is out of sight',
      { required: seen, observed: { 'observe-pods': collection, 'workload-engine': blind } },
      both('Stale: Deployment "llama-0" is out of sight: connect failed: timeout'),
    ],
    [
      'before its pods have been listed',
      { required: seen },
      both('NotObserved: Cannot see each Pod of the cluster: provider-kubernetes has not been asked yet'),
    ],
    [
      'where its InferenceCluster is gone and something runs on another cluster',
      { required: { pods: [], cluster: [] }, observed: { 'workload-engine': wrapped } },
      both(
        'ClusterMissing: Cannot tell whether the Remote cluster is in sight: its InferenceCluster is missing or cannot be read',
      ),
    ],
  ];
  test.each(rows)('%s', (_name, parts, conditions) => {
    expect(read(parts)).toEqual(conditions);
  });
});

test('a Local replica reads its pods as core fetched them, also where its InferenceCluster is gone', () => {
  const local = [helloObject('InferenceCluster', 'europe')];
  expect(read({ required: { pods: [pod], cluster: local } })).toEqual([pod]);
  expect(read({ required: { pods: [pod], cluster: [] }, observed: { 'workload-engine': deployment } })).toEqual([pod]);
});
