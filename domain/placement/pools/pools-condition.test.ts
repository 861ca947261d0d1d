import { expect, test } from 'vitest';
import type { PoolGrant } from './pool-grant.ts';
import type { PoolView } from './pool-node.ts';
import { poolsCondition } from './pools-condition.ts';

function pool(name: string, nodes: readonly string[], others: readonly string[] = []): PoolView {
  const views = nodes.map((node) => ({ name: node, usable: true, accelerators: 8 }));
  return { name, className: 'mi300x', nodes: views, others };
}
const grant: PoolGrant = {
  pool: 'metal',
  namespace: 'chat',
  replica: 'mimo-0',
  acceleratorsPerNode: 8,
  nodes: ['a'],
  since: '2026-12-01T11:00:00Z',
};

const lost =
  'Node "a" is gone from pool "metal" and stays granted to chat/mimo-0: bring it back with the labels of the pool, or add another node';
const empty = 'Pool "racks" has no node: correct its nodeSelector, or add nodes with those labels';
const table: readonly [string, readonly PoolView[], string, string][] = [
  [
    'every granted node is there',
    [pool('metal', ['a'])],
    'Complete',
    'Every pool has nodes, and every node that is granted is there',
  ],
  ['S6 a granted node is gone', [pool('metal', ['b'])], 'PoolNodeLost', lost],
  ['S6 a pool has no node', [pool('metal', ['a']), pool('racks', [])], 'PoolEmpty', empty],
  [
    'S6 two pools share their only node',
    [pool('metal', ['a']), pool('racks', [], ['a'])],
    'PoolsOverlap',
    'Nodes a have the labels of pool "racks" and belong to another pool or to a node group: state labels in spec.pools that only its own nodes have',
  ],
  [
    'several things are wrong, the worst first',
    [pool('racks', []), pool('metal', ['b'])],
    'PoolNodeLost',
    `${lost}; ${empty}`,
  ],
];

test.each(table)('poolsCondition says it when %s', (_name, pools, reason, message) => {
  const status = reason === 'Complete' ? 'True' : 'False';
  expect(poolsCondition(pools, [grant])).toEqual({ type: 'PoolsUsable', status, reason, message });
});
