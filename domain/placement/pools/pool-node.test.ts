import { expect, test } from 'vitest';
import type { ExistingPool } from '../../hardware/existing-pool.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { viewPools } from './pool-node.ts';

function pool(name: string, nodeSelector: Record<string, string>, accelerators = 8): ExistingPool {
  const node = { accelerators, allocatableCpu: 1, allocatableMemory: 1 };
  return { name, className: 'mi300x', nodeSelector, node, taints: [] };
}

function node(name: string, labels: Record<string, string>, allocatable: unknown = {}): KubernetesObject {
  const status = { allocatable, conditions: [{ type: 'Ready', status: 'True' }] };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status };
}

const cordoned = { ...node('b', { gpu: 'x' }), spec: { unschedulable: true } };

/** As the API server selects by labels. */
function select(nodes: readonly KubernetesObject[]) {
  return ({ nodeSelector }: ExistingPool) =>
    nodes.filter(({ metadata: { labels = {} } }) =>
      Object.entries(nodeSelector).every(([key, value]) => labels[key] === value),
    );
}

test('viewPools sorts nodes, and tells which of them are usable', () => {
  const nodes = [cordoned, node('a', { gpu: 'x' })];
  expect(viewPools({ pools: [pool('p', { gpu: 'x' })], allocation: 'DRA' }, select(nodes))).toEqual([
    {
      name: 'p',
      className: 'mi300x',
      nodes: [
        { name: 'a', usable: true, accelerators: 8 },
        { name: 'b', usable: false, accelerators: 8 },
      ],
      others: [],
    },
  ]);
});

test('S2 viewPools counts a node once: in the first pool that selects it, and never beside a node group of ours', () => {
  const nodes = [node('a', { gpu: 'x', rack: '1' }), node('ours', { rack: '1', 'modelberth.dev/node': 'accelerator' })];
  const pools = [pool('first', { gpu: 'x' }), pool('second', { rack: '1' })];
  const seen = viewPools({ pools, allocation: 'DRA' }, select(nodes));
  expect(seen.map(({ name, nodes: own, others }) => [name, own.map((each) => each.name), others])).toEqual([
    ['first', ['a'], []],
    ['second', [], ['a', 'ours']],
  ]);
});

const published: readonly [string, unknown, number][] = [
  ['a plugin of AMD publishes all', { 'amd.com/gpu': '8' }, 8],
  ['a plugin of NVIDIA publishes fewer, since one is broken', { 'nvidia.com/gpu': '7', cpu: '96' }, 7],
  ['it publishes more than the pool says', { 'amd.com/gpu': '16' }, 8],
  ['no plugin runs', { cpu: '96' }, 0],
  ['the count is none', { 'amd.com/gpu': 'many' }, 0],
];

test.each(published)('S5 a device plugin gives what it publishes when %s', (_name, allocatable, accelerators) => {
  const nodes = [node('a', { gpu: 'x' }, allocatable)];
  const [seen] = viewPools({ pools: [pool('p', { gpu: 'x' })], allocation: 'DevicePlugin' }, select(nodes));
  expect(seen?.nodes).toEqual([{ name: 'a', usable: true, accelerators }]);
});
