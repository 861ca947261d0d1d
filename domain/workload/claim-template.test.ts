import { expect, test } from 'vitest';
import { claimTemplateName, renderClaimTemplate } from './claim-template.ts';
import type { WorkloadQuestion } from './workload-question.ts';

const question: WorkloadQuestion = {
  replica: 'llama-0',
  namespace: 'chat',
  labels: { 'modelberth.dev/replica': 'chat-llama-0' },
  selector: { 'modelberth.dev/replica': 'chat-llama-0' },
  revision: '5eed0001',
  rung: 'l4/1x1-tp1-pp1/OnDemand',
  model: { name: 'Qwen/Qwen3-8B' },
  engine: { type: 'vLLM', image: 'vllm/vllm-openai:v0.19.0', args: [] },
  args: [],
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  vendor: 'NVIDIA',
  productName: 'NVIDIA L4',
  allocation: 'DRA',
  nodeGroups: [],
  smallestNode: { cpu: 1000, memory: 1e10 },
  weightBytes: 1e9,
};

const four = { nodes: 2, acceleratorsPerNode: 4, tensorParallelSize: 4, pipelineParallelSize: 2 };

const table: readonly [string, Partial<WorkloadQuestion>, { driver: string; count: number; expression: string }][] = [
  [
    'L1 it pins one product of NVIDIA',
    {},
    {
      driver: 'gpu.nvidia.com',
      count: 1,
      expression:
        'device.driver == "gpu.nvidia.com" && "productName" in device.attributes["gpu.nvidia.com"] && device.attributes["gpu.nvidia.com"].productName == "NVIDIA L4"',
    },
  ],
  [
    'L1 L45 it pins one product of AMD, and no partition of it',
    { vendor: 'AMD', productName: 'AMD_Instinct_MI300X_OAM' },
    {
      driver: 'gpu.amd.com',
      count: 1,
      expression:
        'device.driver == "gpu.amd.com" && "type" in device.attributes["gpu.amd.com"] && device.attributes["gpu.amd.com"].type == "amdgpu" && "productName" in device.attributes["gpu.amd.com"] && device.attributes["gpu.amd.com"].productName == "AMD_Instinct_MI300X_OAM"',
    },
  ],
  [
    'L9 a pod of a gang claims the accelerators of its own node only, and quotes in a name are escaped',
    { shape: four, productName: 'a "b" \\' },
    {
      driver: 'gpu.nvidia.com',
      count: 4,
      expression:
        'device.driver == "gpu.nvidia.com" && "productName" in device.attributes["gpu.nvidia.com"] && device.attributes["gpu.nvidia.com"].productName == "a \\"b\\" \\\\"',
    },
  ],
];

test.each(table)(
  'renderClaimTemplate claims every accelerator of one pod, guarded, when %s',
  (_name, changed, expected) => {
    const exactly = {
      deviceClassName: expected.driver,
      allocationMode: 'ExactCount',
      count: expected.count,
      selectors: [{ cel: { expression: expected.expression } }],
    };
    expect(renderClaimTemplate({ ...question, ...changed })).toEqual({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: {
        name: 'llama-0-5eed0001',
        labels: { 'modelberth.dev/replica': 'chat-llama-0', 'modelberth.dev/revision': '5eed0001' },
      },
      spec: { spec: { devices: { requests: [{ name: 'accelerator', exactly }] } } },
    });
  },
);

const names: readonly [string, string, string, RegExp][] = [
  ['the name is short', 'llama-0', '5eed0001', /^llama-0-5eed0001$/],
  ['the revision is another', 'llama-0', '5eed0002', /^llama-0-5eed0002$/],
  ['the name of the replica has its full length', 'a'.repeat(63), '5eed0001', /^a{54}-[0-9a-f]{8}$/],
];

test.each(names)(
  'S2 the name of a claim template carries the revision when %s',
  (_name, replica, revision, expected) => {
    expect(claimTemplateName({ replica, revision })).toMatch(expected);
  },
);

test('S2 two revisions of a replica with a long name have different claim templates', () => {
  const replica = 'a'.repeat(63);
  expect(claimTemplateName({ replica, revision: '5eed0001' })).not.toBe(
    claimTemplateName({ replica, revision: '5eed0002' }),
  );
});
