import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { checkDeployment } from './check-deployment.ts';
import type { Readiness } from './judge-readiness.ts';

interface Sample {
  readonly generation?: number;
  readonly replicas?: number;
  readonly status?: Readonly<Record<string, unknown>>;
}

function deployment({ generation = 2, replicas, status }: Sample): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'llama-0', generation },
    spec: replicas === undefined ? {} : { replicas },
    ...(status === undefined ? {} : { status }),
  };
}

const available = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' };
const deadlineExceeded = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
const all = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

const table: readonly [string, Sample, Readiness][] = [
  ['its one pod is updated and available', { replicas: 1, status: all }, 'Ready'],
  ['the number of replicas is left to the default of one', { status: all }, 'Ready'],
  ['it is scaled to zero', { replicas: 0, status: { observedGeneration: 2 } }, 'Ready'],
  ['it has no status', { replicas: 1 }, 'Unknown'],
  ['its status is empty', { replicas: 1, status: {} }, 'Unknown'],
  ['its status is of an older generation', { replicas: 1, status: { ...all, observedGeneration: 1 } }, 'Unknown'],
  [
    'its pod is not available',
    { replicas: 1, status: { ...all, readyReplicas: 0, availableReplicas: 0, unavailableReplicas: 1 } },
    'NotReady',
  ],
  ['one of two pods is available', { replicas: 2, status: { ...all, replicas: 2, updatedReplicas: 2 } }, 'NotReady'],
  [
    // kubernetes deploymentutil and kubectl rollout status: done only without a pod of an older ReplicaSet.
    'L39 the rollout is dead: the old pod is available, and the new one cannot get the accelerator that the old one holds',
    {
      replicas: 1,
      status: {
        observedGeneration: 2,
        replicas: 2,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
        conditions: [available, deadlineExceeded],
      },
    },
    'NotReady',
  ],
  [
    'L39 the old pod still runs and the new one was never made',
    {
      replicas: 1,
      status: { observedGeneration: 2, replicas: 1, readyReplicas: 1, availableReplicas: 1, conditions: [available] },
    },
    'NotReady',
  ],
  [
    'L39 it says Available and has no pod',
    { replicas: 1, status: { observedGeneration: 2, conditions: [available] } },
    'NotReady',
  ],
];

test.each(table)('checkDeployment judges by its pods, never by Available, when %s', (_name, sample, expected) => {
  expect(checkDeployment(deployment(sample))).toBe(expected);
});

test('L39 S5 a Deployment is ready exactly when all of its pods are new and enough of them are available', () => {
  const someCounts = fc.record({
    wanted: fc.nat({ max: 3 }),
    old: fc.nat({ max: 3 }),
    updated: fc.nat({ max: 3 }),
    oldAvailable: fc.nat({ max: 3 }),
    updatedAvailable: fc.nat({ max: 3 }),
  });
  fc.assert(
    fc.property(someCounts, ({ wanted, old, updated, ...counts }) => {
      const fromOld = Math.min(counts.oldAvailable, old);
      const fromNew = Math.min(counts.updatedAvailable, updated);
      const availableReplicas = fromOld + fromNew;
      const status = { observedGeneration: 2, replicas: old + updated, updatedReplicas: updated, availableReplicas };
      const isReady = old === 0 && updated >= wanted && fromNew >= wanted;
      const judged = checkDeployment(deployment({ replicas: wanted, status }));
      expect(judged).toBe(isReady ? 'Ready' : 'NotReady');
    }),
  );
});
