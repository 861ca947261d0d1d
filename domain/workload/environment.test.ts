import { describe, expect, test } from 'vitest';
import type { EngineVariable } from '../engine/engine-variable.ts';
import type { Weights } from '../model/weights.ts';
import { environment } from './environment.ts';
import type { WorkloadQuestion } from './workload-question.ts';

interface Scene {
  readonly env?: EngineVariable[];
  readonly weights?: Weights;
  readonly vendor?: 'NVIDIA' | 'AMD';
  readonly nodes?: number;
}

/** The variables as `NAME=value`, or by where the value comes from. */
function variables({ env, weights, vendor = 'NVIDIA', nodes = 1 }: Scene): readonly string[] {
  const model = { name: 'a/b', hubTokenSecret: { name: 'hub', key: 'token' }, weights };
  const shape = { nodes, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: nodes };
  const engine = { type: 'vLLM', image: 'a/b:v0.19.0', args: [], env };
  const pod = { user: 'Image' };
  return environment({ model, engine, vendor, shape, pod } as unknown as WorkloadQuestion).map((variable) => {
    return `${variable.name}=${String(variable.value ?? JSON.stringify(variable.valueFrom))}`;
  });
}

const token = 'HF_TOKEN={"secretKeyRef":{"name":"hub","key":"token"}}';
const fragments = 'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True';
const claim: Weights = { type: 'PersistentVolumeClaim', claimName: 'models' };

const rows: readonly [string, Scene, readonly string[]][] = [
  ['the author adds nothing', {}, ['HF_HOME=/weights', token, fragments]],
  ['the accelerators are of AMD', { vendor: 'AMD' }, ['HF_HOME=/weights', token]],
  [
    'the author adds a value and a key of a Secret',
    {
      env: [
        { name: 'VLLM_LOGGING_LEVEL', value: 'DEBUG' },
        { name: 'VENDOR_TOKEN', secretKeyRef: { name: 'vendor', key: 'token' } },
      ],
    },
    [
      'HF_HOME=/weights',
      token,
      fragments,
      'VLLM_LOGGING_LEVEL=DEBUG',
      'VENDOR_TOKEN={"secretKeyRef":{"name":"vendor","key":"token"}}',
    ],
  ],
  [
    'L18 the author overrides what is computed, in its place',
    { env: [{ name: 'PYTORCH_CUDA_ALLOC_CONF', value: 'backend:native' }] },
    ['HF_HOME=/weights', token, 'PYTORCH_CUDA_ALLOC_CONF=backend:native'],
  ],
  [
    'the network of a gang has another name',
    { nodes: 2, env: [{ name: 'NCCL_SOCKET_IFNAME', value: 'eth1' }] },
    [
      'HF_HOME=/weights',
      token,
      fragments,
      'VLLM_HOST_IP={"fieldRef":{"apiVersion":"v1","fieldPath":"status.podIP"}}',
      'NCCL_SOCKET_IFNAME=eth1',
      'GLOO_SOCKET_IFNAME=eth0',
    ],
  ],
  [
    'the weights are there already, so that the hub is never asked',
    { weights: claim },
    ['HF_HUB_OFFLINE=1', 'TRANSFORMERS_OFFLINE=1', fragments],
  ],
  ['the hub is named', { weights: { type: 'Hub' } }, ['HF_HOME=/weights', token, fragments]],
];

describe('environment', () => {
  test.each(rows)('has what the engine needs when %s', (_name, scene, expected) => {
    expect(variables(scene)).toEqual(expected);
  });
});
