import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition } from '../kubernetes/condition.ts';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/object.ts';
import { engineCondition, lastFailure } from './engine-condition.ts';

function deployment(status: Readonly<Record<string, unknown>> | undefined): KubernetesObject {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'llama-0', generation: 2 },
    spec: { replicas: 1 },
  };
  return status === undefined ? object : { ...object, status };
}

const ready = deployment({
  observedGeneration: 2,
  replicas: 1,
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
});
const starting = deployment({ observedGeneration: 2, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 });
const unseen = deployment({ observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 });

interface Ended {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
}

/** A pod with one engine container: what it is doing now, and how it ended before. */
function pod(
  name: string,
  now: Ended | 'running' | 'waiting',
  before?: Ended,
  metadata: ObjectMeta = {},
): KubernetesObject {
  const state = typeof now === 'string' ? { [now]: {} } : { terminated: now };
  const status = { name: 'engine', state, ...(before === undefined ? {} : { lastState: { terminated: before } }) };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, status: { containerStatuses: [status] } };
}

const oom: Ended = { exitCode: 1, reason: 'Error', message: 'torch.OutOfMemoryError: tried to allocate 300 MiB\n' };
const lastWords =
  'Container "engine" of pod "a" ended with exit code 1 (Error): torch.OutOfMemoryError: tried to allocate 300 MiB';

const answers: Condition = {
  type: 'EngineReady',
  status: 'True',
  reason: 'EngineAnswers',
  message: 'Deployment "llama-0" passes its readiness probe',
};
const starts: Condition = {
  type: 'EngineReady',
  status: 'False',
  reason: 'EngineStarting',
  message: 'Deployment "llama-0" does not pass its readiness probe yet',
};
const failed: Condition = { type: 'EngineReady', status: 'False', reason: 'EngineFailed', message: lastWords };

const table: readonly [string, KubernetesObject | undefined, readonly KubernetesObject[], Condition][] = [
  [
    'there is no workload',
    undefined,
    [],
    { type: 'EngineReady', status: 'False', reason: 'NotPlaced', message: 'There is no workload yet' },
  ],
  ['it passes its probe', ready, [pod('a', 'running')], answers],
  ['it passes its probe after it had crashed', ready, [pod('a', 'running', oom)], answers],
  ['it starts', starting, [pod('a', 'running')], starts],
  ['it starts and no pod is there yet', starting, [], starts],
  ['L38 it has ended with an error', starting, [pod('a', oom)], failed],
  ['L38 it is restarted after an error', starting, [pod('a', 'waiting', oom)], failed],
  ['it ended in order and starts again', starting, [pod('a', 'running', { exitCode: 0, reason: 'Completed' })], starts],
  ['L38 its status is older than its spec and it has ended with an error', unseen, [pod('a', oom)], failed],
  [
    'its status is older than its spec',
    unseen,
    [],
    {
      type: 'EngineReady',
      status: 'Unknown',
      reason: 'NotObserved',
      message: 'Deployment "llama-0" has not been observed in its current form yet',
    },
  ],
  [
    'nothing of its status is observed',
    deployment(undefined),
    [],
    {
      type: 'EngineReady',
      status: 'Unknown',
      reason: 'NotObserved',
      message: 'Deployment "llama-0" has not been observed in its current form yet',
    },
  ],
  [
    'the pod of the revision before is being deleted and was stopped by its signal',
    starting,
    [
      pod('a', { exitCode: 143, reason: 'Error' }, undefined, { deletionTimestamp: '2026-12-01T10:00:00Z' }),
      pod('b', 'running'),
    ],
    starts,
  ],
];

test.each(table)(
  'S5 engineCondition says what the workload and its pods prove when %s',
  (_name, workload, pods, expected) => {
    expect(engineCondition(workload, pods)).toEqual(expected);
  },
);

const failures: readonly [string, readonly KubernetesObject[], string | undefined][] = [
  ['there are no pods', [], undefined],
  ['none has ended', [pod('a', 'running'), pod('b', 'waiting')], undefined],
  ['one ended in order', [pod('a', { exitCode: 0 })], undefined],
  ['the second has ended with an error', [pod('b', 'running'), pod('a', oom)], lastWords],
  ['it ended in order now and with an error before', [pod('a', { exitCode: 0 }, oom)], undefined],
  [
    'it was killed for its memory and left no words',
    [pod('a', { exitCode: 137, reason: 'OOMKilled' })],
    'Container "engine" of pod "a" ended with exit code 137 (OOMKilled)',
  ],
  ['a pod has no status', [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }], undefined],
  [
    'the statuses cannot be read',
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { containerStatuses: ['x', null, {}] } }],
    undefined,
  ],
];

test.each(failures)('L38 lastFailure keeps the last words of a crash when %s', (_name, pods, expected) => {
  expect(lastFailure(pods)).toBe(expected);
});

test('S6 L38 the last words are the end of the message and bounded', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3000 }), (text) => {
      const said = lastFailure([pod('a', { exitCode: 1, message: `${text}END` })]) ?? '';
      expect(said.endsWith('END')).toBe(true);
      expect(said.length).toBeLessThan(600);
    }),
  );
});
