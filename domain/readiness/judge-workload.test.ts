import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { judgeWorkload } from './judge-workload.ts';

const revision = { 'modelberth.dev/revision': '5eed0001' };

function gang(size: number | undefined): KubernetesObject {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'mimo-0-gang', labels: revision },
    spec: { leaderWorkerTemplate: { size } },
    // What LeaderWorkerSet 0.8 says while a worker is pending (run 2026-12-01).
    status: { readyReplicas: 1, conditions: [{ type: 'Available', status: 'True' }] },
  };
}

function pod(ready: string, changed: Partial<KubernetesObject['metadata']> = {}): KubernetesObject {
  const metadata = { name: 'p', labels: revision, ...changed };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { conditions: [{ type: 'Ready', status: ready }] } };
}

const gangs: readonly [string, KubernetesObject, readonly KubernetesObject[], string][] = [
  ['all its pods are ready', gang(2), [pod('True'), pod('True')], 'Ready'],
  ['a worker is pending although it calls itself available', gang(2), [pod('True'), pod('False')], 'NotReady'],
  ['a worker is not there', gang(2), [pod('True')], 'NotReady'],
  ['a pod is of the revision before', gang(2), [pod('True'), pod('True', { labels: {} })], 'NotReady'],
  ['a pod is leaving', gang(2), [pod('True'), pod('True', { deletionTimestamp: '2026-12-01T12:00:00Z' })], 'NotReady'],
  ['no pod is observed', gang(2), [], 'Unknown'],
  ['its size cannot be read', gang(undefined), [pod('True')], 'Unknown'],
];

test.each(gangs)('S5 L9 judgeWorkload judges a gang by its pods when %s', (_name, workload, pods, expected) => {
  expect(judgeWorkload(workload, pods)).toBe(expected);
});

test('judgeWorkload judges a Deployment by itself', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 1 } };
  const status = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  expect(judgeWorkload({ ...deployment, status }, [])).toBe('Ready');
  expect(judgeWorkload(deployment, [pod('True')])).toBe('Unknown');
});
