import { expect, test } from 'vitest';
import { isRecord, readList, readPath } from '../kubernetes/object.ts';
import { gib } from '../units/bytes.ts';
import { renderLeaderWorkerSet } from './leader-worker-set.ts';
import { renderWorkload } from './workload.ts';
import type { WorkloadQuestion } from './workload-question.ts';

const selector = { 'modelberth.dev/replica': 'coding.mimo-0' };
const question: WorkloadQuestion = {
  replica: 'mimo-0',
  namespace: 'coding',
  labels: { 'app.kubernetes.io/managed-by': 'modelberth', ...selector },
  selector,
  revision: '5eed0001',
  rung: 'pro/2x1-tp1-pp2/OnDemand',
  model: { name: 'XiaomiMiMo/MiMo-V2.6-Flash' },
  engine: { type: 'vLLM', image: 'vllm/vllm-openai:v0.30.0', args: [] },
  args: ['XiaomiMiMo/MiMo-V2.6-Flash', '--port=8000'],
  shape: { nodes: 2, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 2 },
  vendor: 'NVIDIA',
  productName: 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
  allocation: 'DRA',
  nodeGroups: ['mimo-0-pro-a', 'mimo-0-pro-b'],
  smallestNode: { cpu: 7910, memory: 59 * gib },
  weightBytes: 177.7e9,
};
const gang = renderLeaderWorkerSet(question);
const template = (role: string) => readPath(gang, ['spec', 'leaderWorkerTemplate', `${role}Template`, 'spec']);

function container(role: string): Record<string, unknown> {
  const [first] = readList(template(role), ['containers']);
  if (!isRecord(first)) throw new Error(`the ${role} has no container`);
  return first;
}

test('L9 a gang has one leader and one worker for each further node, and starts before the leader is ready', () => {
  expect(readPath(gang, ['spec', 'leaderWorkerTemplate', 'size'])).toBe(2);
  expect(readPath(gang, ['spec', 'startupPolicy'])).toBe('LeaderCreated');
});

test('L39 S8 the strategy of a gang is written in full: the old one goes before the new', () => {
  expect(readPath(gang, ['spec', 'rolloutStrategy'])).toEqual({
    type: 'RollingUpdate',
    rollingUpdateConfiguration: { partition: 0, maxUnavailable: 1, maxSurge: 0 },
  });
});

const roles: readonly [string, readonly string[]][] = [
  ['leader', ['--master-addr=$(LWS_LEADER_ADDRESS)', '--nnodes=2', '--node-rank=0']],
  ['worker', ['--headless', '--master-addr=$(LWS_LEADER_ADDRESS)', '--nnodes=2', '--node-rank=$(LWS_WORKER_INDEX)']],
];

test.each(roles)('L9 the %s of a gang knows who leads and which rank it is', (role, expected) => {
  expect(container(role).args).toEqual(expect.arrayContaining(['XiaomiMiMo/MiMo-V2.6-Flash', ...expected]));
});

test('only the leader is probed and is told apart by its role, so that no request reaches a worker', () => {
  expect(container('leader')).toHaveProperty('readinessProbe');
  expect(container('worker')).not.toHaveProperty('readinessProbe');
  const labelsOf = (role: string) =>
    readPath(gang, ['spec', 'leaderWorkerTemplate', `${role}Template`, 'metadata', 'labels', 'modelberth.dev/role']);
  expect(['leader', 'worker'].map(labelsOf)).toEqual(['leader', 'worker']);
});

test('L1 each pod of a gang has a claim of its own, on a node of its own rung', () => {
  for (const role of ['leader', 'worker']) {
    expect(readList(template(role), ['resourceClaims'])).toHaveLength(1);
    expect(JSON.stringify(readPath(template(role), ['affinity']))).toContain('["mimo-0-pro-a","mimo-0-pro-b"]');
  }
});

test('a gang has another name than the headless Service of its replica, which LeaderWorkerSet would take', () => {
  expect(gang.metadata.name).toBe('mimo-0-gang');
});

const shapes: readonly [number, string, string][] = [
  [1, 'workload-engine', 'Deployment'],
  [2, 'workload-gang', 'LeaderWorkerSet'],
  [4, 'workload-gang', 'LeaderWorkerSet'],
];

test.each(shapes)('S2 a replica of %i nodes has a key of its own kind', (nodes, key, kind) => {
  const [found, object] = renderWorkload({ ...question, shape: { ...question.shape, nodes } });
  expect([found, object.kind]).toEqual([key, kind]);
});
