import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readList, readPath } from '../kubernetes/object.ts';
import { gib, mib, parseBytes } from '../units/bytes.ts';
import { CpuText } from '../units/cpu.ts';
import { renderDeployment } from './deployment.ts';
import type { WorkloadQuestion } from './workload-question.ts';

const selector = { 'modelberth.dev/replica': 'chat-llama-0' };
const labels = { 'app.kubernetes.io/managed-by': 'modelberth', 'modelberth.dev/deployment': 'llama', ...selector };

const question: WorkloadQuestion = {
  replica: 'llama-0',
  namespace: 'chat',
  labels,
  selector,
  revision: '5eed0001',
  rung: 'l4/1x1-tp1-pp1/OnDemand',
  model: { name: 'meta-llama/Llama-3.1-8B-Instruct', hubTokenSecret: { name: 'hub', key: 'token' } },
  engine: { type: 'vLLM', image: 'vllm/vllm-openai:v0.19.0', args: [] },
  args: ['meta-llama/Llama-3.1-8B-Instruct', '--max-num-seqs=8'],
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  vendor: 'NVIDIA',
  productName: 'NVIDIA L4',
  allocation: 'DRA',
  nodeGroups: ['llama-0-l4-0f1e0f1e'],
  smallestNode: { cpu: 3920, memory: 14_162 * mib },
  weightBytes: 16_063_177_687,
};

const pod = ['spec', 'template', 'spec'];

function podOf(changed: Partial<WorkloadQuestion>): Record<string, unknown> {
  return readPath(renderDeployment({ ...question, ...changed }), pod) as Record<string, unknown>;
}

function engineOf(changed: Partial<WorkloadQuestion>): Record<string, unknown> {
  const containers = readList(podOf(changed), ['containers']);
  expect(containers.length).toBe(1);
  return containers[0] as Record<string, unknown>;
}

test('L39 S8 the update strategy is Recreate and written in full from the first revision', () => {
  const { spec } = renderDeployment(question);
  expect({ replicas: readPath(spec, ['replicas']), strategy: readPath(spec, ['strategy']) }).toEqual({
    replicas: 1,
    strategy: { type: 'Recreate' },
  });
});

test('a rollout that does not end is told, no sooner than the engine may take to start', () => {
  const { spec } = renderDeployment(question);
  const startup = readPath(engineOf({}), ['startupProbe']) as { periodSeconds: number; failureThreshold: number };
  expect(readPath(spec, ['progressDeadlineSeconds'])).toBeGreaterThanOrEqual(
    startup.periodSeconds * startup.failureThreshold,
  );
});

test('S2 the pods are found by labels that no revision changes, and say their revision', () => {
  const { metadata, spec } = renderDeployment(question);
  expect({ metadata, selector: readPath(spec, ['selector']), pod: readPath(spec, ['template', 'metadata']) }).toEqual({
    metadata: {
      name: 'llama-0',
      labels: { ...labels, 'modelberth.dev/revision': '5eed0001' },
      annotations: { 'modelberth.dev/rung': 'l4/1x1-tp1-pp1/OnDemand' },
    },
    selector: { matchLabels: selector },
    pod: { labels: { ...labels, 'modelberth.dev/revision': '5eed0001', 'modelberth.dev/role': 'leader' } },
  });
});

const pair = { shape: { nodes: 1, acceleratorsPerNode: 2, tensorParallelSize: 2, pipelineParallelSize: 1 } };

const resources: readonly [string, Partial<WorkloadQuestion>, Record<string, unknown>][] = [
  [
    'a claim allocates them',
    {},
    {
      pod: [{ name: 'accelerators', resourceClaimTemplateName: 'llama-0-5eed0001' }],
      container: {
        requests: { cpu: '3420m', memory: '13138Mi' },
        limits: { memory: '13138Mi' },
        claims: [{ name: 'accelerators' }],
      },
    },
  ],
  [
    'the device plugin of NVIDIA allocates them',
    { allocation: 'DevicePlugin', ...pair },
    {
      pod: undefined,
      container: {
        requests: { cpu: '3420m', memory: '13138Mi', 'nvidia.com/gpu': '2' },
        limits: { memory: '13138Mi', 'nvidia.com/gpu': '2' },
      },
    },
  ],
  [
    'L45 the device plugin of AMD allocates them',
    { allocation: 'DevicePlugin', vendor: 'AMD' },
    {
      pod: undefined,
      container: {
        requests: { cpu: '3420m', memory: '13138Mi', 'amd.com/gpu': '1' },
        limits: { memory: '13138Mi', 'amd.com/gpu': '1' },
      },
    },
  ],
];

test.each(resources)('the pod gets its accelerators when %s', (_name, changed, expected) => {
  expect({ pod: podOf(changed).resourceClaims, container: engineOf(changed).resources }).toEqual(expected);
});

const sharedMemory: readonly [string, number, string][] = [
  ['the engine has one accelerator', 1, '1Gi'],
  ['two accelerators exchange tensors', 2, '3Gi'],
  ['eight accelerators exchange tensors', 8, '9Gi'],
];

test.each(sharedMemory)('L19 /dev/shm is memory and sized for the shape when %s', (_name, accelerators, sizeLimit) => {
  const shape = {
    nodes: 1,
    acceleratorsPerNode: accelerators,
    tensorParallelSize: accelerators,
    pipelineParallelSize: 1,
  };
  const volume = readList(podOf({ shape }), ['volumes']).find((one) => readPath(one, ['name']) === 'shm');
  const mount = readList(engineOf({ shape }), ['volumeMounts']).find((one) => readPath(one, ['name']) === 'shm');
  expect([volume, mount]).toEqual([
    { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit } },
    { name: 'shm', mountPath: '/dev/shm' },
  ]);
});

const home = [
  { name: 'HOME', value: '/home/engine' },
  { name: 'USER', value: 'engine' },
];

const environments: readonly [string, Partial<WorkloadQuestion>, readonly unknown[]][] = [
  [
    'L17 L18 NVIDIA gets expandable segments, and a gated model its token',
    {},
    [
      ...home,
      { name: 'HF_HOME', value: '/weights' },
      { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hub', key: 'token' } } },
      { name: 'PYTORCH_CUDA_ALLOC_CONF', value: 'expandable_segments:True' },
    ],
  ],
  [
    'L18 the model is open',
    { model: { name: 'Qwen/Qwen3-8B' } },
    [
      ...home,
      { name: 'HF_HOME', value: '/weights' },
      { name: 'PYTORCH_CUDA_ALLOC_CONF', value: 'expandable_segments:True' },
    ],
  ],
  [
    'L45 AMD has no CUDA allocator',
    { model: { name: 'Qwen/Qwen3-8B' }, vendor: 'AMD' },
    [{ name: 'HF_HOME', value: '/weights' }],
  ],
];

test.each(environments)('the engine gets its environment when %s', (_name, changed, expected) => {
  expect(engineOf(changed).env).toEqual(expected);
});

test('L37 L38 the port has a name, and the last words of a crash are kept', () => {
  const { name, image, command, args, ports, terminationMessagePolicy } = engineOf({});
  expect({ name, image, command, args, ports, terminationMessagePolicy }).toEqual({
    name: 'engine',
    image: 'vllm/vllm-openai:v0.19.0',
    command: ['vllm', 'serve'],
    args: ['meta-llama/Llama-3.1-8B-Instruct', '--max-num-seqs=8'],
    ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
    terminationMessagePolicy: 'FallbackToLogsOnError',
  });
});

test('the pod may run only on the node groups of its rung, and tolerates their taint', () => {
  const { affinity, tolerations } = podOf({ nodeGroups: ['a', 'b'] });
  const terms = [{ matchExpressions: [{ key: 'eks.amazonaws.com/nodegroup', operator: 'In', values: ['a', 'b'] }] }];
  expect(affinity).toEqual({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  });
  expect(tolerations).toContainEqual({ key: 'modelberth.dev/accelerator', operator: 'Exists', effect: 'NoSchedule' });
});

test('the pod has no token of the API server and no more rights than it needs', () => {
  const { automountServiceAccountToken, enableServiceLinks, securityContext } = podOf({});
  expect({
    automountServiceAccountToken,
    enableServiceLinks,
    securityContext,
    container: engineOf({}).securityContext,
  }).toEqual({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 2000,
      runAsGroup: 2000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    container: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
  });
});

test('L19 the pod has the volumes of the author and what its overlay adds, beside its own', () => {
  const pod: WorkloadQuestion['pod'] = {
    volumes: [{ name: 'adapters', type: 'PersistentVolumeClaim', source: 'lora', mountPath: '/adapters' }],
    overlay: { spec: { priorityClassName: 'serving', containers: [{ name: 'proxy', image: 'proxy:1' }] } },
  };
  const rendered = podOf({ pod });
  const names = (field: string) => readList(rendered, [field]).map((one) => readPath(one, ['name']));
  const mounts = readList(readList(rendered, ['containers'])[0], ['volumeMounts']);
  expect({ volumes: names('volumes'), containers: names('containers'), priority: rendered.priorityClassName }).toEqual({
    volumes: ['shm', 'weights', 'home', 'tmp', 'adapters'],
    containers: ['engine', 'proxy'],
    priority: 'serving',
  });
  expect(mounts.map((mount) => readPath(mount, ['mountPath']))).toEqual([
    '/dev/shm',
    '/weights',
    '/home/engine',
    '/tmp',
    '/adapters',
  ]);
});

const someQuestion = fc.record({
  smallestNode: fc.record({
    cpu: fc.integer({ min: 700, max: 192_000 }),
    memory: fc.integer({ min: 2 * gib, max: 2048 * gib }),
  }),
  weightBytes: fc.integer({ min: 1e9, max: 1e12 }),
  allocation: fc.constantFrom('DRA' as const, 'DevicePlugin' as const),
  vendor: fc.constantFrom('NVIDIA' as const, 'AMD' as const),
});

test('requests fit the smallest node with room for DaemonSets, and memory is limited to what is requested', () => {
  fc.assert(
    fc.property(someQuestion, (changed) => {
      const { requests, limits } = engineOf(changed).resources as Record<string, Record<string, string>>;
      const cpu = CpuText.decode(requests?.cpu ?? '');
      const memory = parseBytes(requests?.memory ?? '') ?? Number.NaN;
      expect(cpu > 0 && cpu < changed.smallestNode.cpu).toBe(true);
      expect(memory > 0 && memory < changed.smallestNode.memory).toBe(true);
      expect(limits?.memory).toBe(requests?.memory);
    }),
  );
});

test('the volume of the weights holds every file and a copy of the largest while it is renamed', () => {
  fc.assert(
    fc.property(someQuestion, (changed) => {
      const volume = readList(podOf(changed), ['volumes']).find((one) => readPath(one, ['name']) === 'weights');
      const size = parseBytes(String(readPath(volume, ['emptyDir', 'sizeLimit']))) ?? 0;
      expect(size).toBeGreaterThanOrEqual(1.2 * changed.weightBytes);
    }),
  );
});

test('S3 the same question gives the same bytes, and no field is undefined', () => {
  fc.assert(
    fc.property(someQuestion, (changed) => {
      const rendered = renderDeployment({ ...question, ...changed });
      expect(JSON.stringify(renderDeployment({ ...question, ...changed }))).toBe(JSON.stringify(rendered));
      expect(rendered).toStrictEqual(JSON.parse(JSON.stringify(rendered)));
    }),
  );
});
