import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { type Cause, findCause } from './find-cause.ts';

function pod(status: object): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'llama-0-x' }, status };
}

function engine(status: object): KubernetesObject {
  return pod({ containerStatuses: [{ name: 'engine', image: 'vllm/vllm-openai:v0.2O.0', ...status }] });
}

const crashed = (restartCount: number) =>
  engine({ restartCount, lastState: { terminated: { exitCode: 1, reason: 'Error', message: 'CUDA out of memory' } } });
const words = 'Container "engine" of pod "llama-0-x" ended with exit code 1 (Error): CUDA out of memory';

const table: readonly [string, readonly KubernetesObject[], Cause][] = [
  [
    'the image does not exist',
    [engine({ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } })],
    {
      because: 'Image "vllm/vllm-openai:v0.2O.0" of pod "llama-0-x" cannot be pulled (ImagePullBackOff): not found',
      waitFor: 'Soon',
    },
  ],
  [
    'the name of the image is none',
    [engine({ state: { waiting: { reason: 'InvalidImageName' } } })],
    {
      because: 'Image "vllm/vllm-openai:v0.2O.0" of pod "llama-0-x" cannot be pulled (InvalidImageName)',
      waitFor: 'Never',
    },
  ],
  [
    'L38 the engine ended with an error once, which may have been a hub that was down',
    [crashed(1)],
    { because: words, waitFor: 'Deadline' },
  ],
  ['L38 the engine ended with an error three times', [crashed(3)], { because: words, waitFor: 'Never' }],
  [
    'L39 no node has a free accelerator',
    [
      pod({
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'cannot allocate all claims' },
        ],
      }),
    ],
    {
      because: 'No node takes pod "llama-0-x" (Unschedulable): cannot allocate all claims',
      waitFor: 'Deadline',
    },
  ],
  [
    'L44 a Secret is not on the cluster',
    [engine({ state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "hub" not found' } } })],
    {
      because:
        'Cannot start container "engine" of pod "llama-0-x" in namespace "": secret "hub" not found; put what it names there, on the cluster of the engine',
      waitFor: 'Soon',
    },
  ],
  [
    'S5 an image is still being pulled, so that nothing runs',
    [engine({ state: { waiting: { reason: 'ContainerCreating' } } }), pod({})],
    { because: 'Container "engine" of pod "llama-0-x" waits to start (ContainerCreating)', waitFor: 'Deadline' },
  ],
  ['L9 a gang lacks a worker', [pod({ conditions: [] })], { because: '1 of 2 pods exist', waitFor: 'Deadline' }],
  [
    'all pods run and nobody says anything',
    [engine({ state: { running: {} } }), pod({})],
    { because: 'The engine runs and does not pass its readiness probe', waitFor: 'Deadline' },
  ],
];

test.each(table)('findCause reads from the pods why a revision does not answer when %s', (_name, pods, expected) => {
  expect(findCause(pods, 2)).toEqual(expected);
});
