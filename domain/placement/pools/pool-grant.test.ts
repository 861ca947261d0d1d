import { expect, test } from 'vitest';
import type { PoolAsk, ReplicaAsks } from './pool-ask.ts';
import { grantPools, type PoolGrant } from './pool-grant.ts';
import type { PoolView } from './pool-node.ts';

const now = '2026-12-01T12:00:00Z';
const before = '2026-12-01T11:00:00Z';

/** A pool with nodes of eight; a name that ends with `!` is of a node that is not usable. */
function pool(nodes: readonly string[], name = 'metal'): PoolView {
  const views = nodes.map((node) => ({ name: node.replace('!', ''), usable: !node.endsWith('!'), accelerators: 8 }));
  return { name, className: 'mi300x', nodes: views, others: [] };
}

function ask(acceleratorsPerNode: number, holds: readonly string[] = [], nodes = 1): PoolAsk {
  return { pool: 'metal', nodes, acceleratorsPerNode, holds, lost: [] };
}

function replica(name: string, asks: readonly PoolAsk[] | undefined): ReplicaAsks {
  return { namespace: 'chat', replica: name, asks };
}

function grant(name: string, acceleratorsPerNode: number, nodes: readonly string[], since = before): PoolGrant {
  return { pool: 'metal', namespace: 'chat', replica: name, acceleratorsPerNode, nodes, since };
}

interface Row {
  readonly nodes: readonly string[];
  readonly replicas: readonly ReplicaAsks[];
  readonly earlier?: readonly PoolGrant[];
  readonly granted: readonly PoolGrant[];
}

const table: readonly [string, Row][] = [
  ['nobody asks', { nodes: ['a'], replicas: [replica('r', [])], granted: [] }],
  ['there is room', { nodes: ['b', 'a'], replicas: [replica('r', [ask(2)])], granted: [grant('r', 2, ['a'], now)] }],
  [
    'small parts fill a node before they break up another',
    {
      nodes: ['a', 'b'],
      replicas: [replica('r', [ask(2, ['b'])]), replica('s', [ask(2)]), replica('t', [ask(8)])],
      earlier: [grant('r', 2, ['b'])],
      granted: [grant('r', 2, ['b']), grant('s', 2, ['b'], now), grant('t', 8, ['a'], now)],
    },
  ],
  [
    'the oldest is served first',
    {
      nodes: ['a'],
      replicas: [replica('old', [ask(8)]), replica('young', [ask(8)])],
      granted: [grant('old', 8, ['a'], now)],
    },
  ],
  [
    'one that is too large leaves the room to those after it',
    {
      nodes: ['a', 'b!'],
      replicas: [replica('large', [ask(8, [], 2)]), replica('small', [ask(4)])],
      granted: [grant('small', 4, ['a'], now)],
    },
  ],
  [
    'a gang takes as many whole nodes as it has',
    { nodes: ['c', 'a', 'b'], replicas: [replica('r', [ask(8, [], 2)])], granted: [grant('r', 8, ['a', 'b'], now)] },
  ],
  [
    'what is free is spread over two nodes',
    {
      nodes: ['a', 'b'],
      replicas: [replica('r', [ask(4, ['a'])]), replica('s', [ask(4, ['b'])]), replica('t', [ask(8)])],
      earlier: [grant('r', 4, ['a']), grant('s', 4, ['b'])],
      granted: [grant('r', 4, ['a']), grant('s', 4, ['b'])],
    },
  ],
  [
    'a node is not usable, so that nothing new is granted on it and nothing is taken from it',
    {
      nodes: ['a!'],
      replicas: [replica('r', [ask(4, ['a'])]), replica('s', [ask(4)])],
      earlier: [grant('r', 4, ['a'])],
      granted: [grant('r', 4, ['a'])],
    },
  ],
  [
    'S1 a granted node is gone and another has room',
    {
      nodes: ['b', 'c'],
      replicas: [replica('r', [ask(8, ['b'], 2)])],
      earlier: [grant('r', 8, ['a', 'b'])],
      granted: [grant('r', 8, ['c', 'b'])],
    },
  ],
  [
    'S1 a granted node is gone and no other has room',
    {
      nodes: ['b'],
      replicas: [replica('r', [ask(8)]), replica('s', [ask(4, ['b'])])],
      earlier: [grant('r', 8, ['a']), grant('s', 4, ['b'])],
      granted: [grant('r', 8, ['a']), grant('s', 4, ['b'])],
    },
  ],
  [
    'S1 a granted node lost the labels of its pool, and its replica still sees it',
    {
      nodes: ['b'],
      replicas: [replica('r', [ask(8, ['a'])])],
      earlier: [grant('r', 8, ['a'])],
      granted: [grant('r', 8, ['a'])],
    },
  ],
  [
    'S1 a granted node is gone and its replica says nothing',
    {
      nodes: ['b'],
      replicas: [replica('r', undefined)],
      earlier: [grant('r', 8, ['a'])],
      granted: [grant('r', 8, ['a'])],
    },
  ],
  [
    'S1 the ledger lost its word, and the younger replica says what it holds',
    {
      nodes: ['a'],
      replicas: [replica('old', [ask(8)]), replica('young', [ask(8, ['a'])])],
      granted: [grant('young', 8, ['a'], now)],
    },
  ],
  [
    'a replica has not left the node that came back, although another was granted in its place',
    {
      nodes: ['a', 'b'],
      replicas: [replica('r', [{ ...ask(8), lost: ['a'] }]), replica('s', [ask(8)])],
      earlier: [grant('r', 8, ['b'])],
      granted: [grant('r', 8, ['b'])],
    },
  ],
  [
    'S1 the ledger lost its word of a gang of which one node is gone',
    {
      nodes: ['a', 'b!'],
      replicas: [replica('old', [ask(8)]), replica('gang', [{ ...ask(8, ['a'], 2), lost: ['c'] }])],
      granted: [grant('gang', 8, ['a', 'c'], now)],
    },
  ],
  [
    'the shape that a replica wants next takes the place of the one that it has',
    {
      nodes: ['a'],
      replicas: [replica('r', [ask(4, ['a']), ask(8)])],
      earlier: [grant('r', 4, ['a'])],
      granted: [grant('r', 4, ['a']), grant('r', 8, ['a'], now)],
    },
  ],
  [
    'the replica asks for it no more',
    {
      nodes: ['a'],
      replicas: [replica('r', []), replica('s', [ask(8)])],
      earlier: [grant('r', 8, ['a'])],
      granted: [grant('s', 8, ['a'], now)],
    },
  ],
  [
    'the replica is gone',
    {
      nodes: ['a'],
      replicas: [replica('s', [ask(8)])],
      earlier: [grant('r', 8, ['a'])],
      granted: [grant('s', 8, ['a'], now)],
    },
  ],
  [
    'a replica asks for another shape beside the one that it holds',
    {
      nodes: ['a'],
      replicas: [replica('r', [ask(4, ['a']), ask(2)])],
      earlier: [grant('r', 4, ['a'])],
      granted: [grant('r', 4, ['a']), grant('r', 2, ['a'], now)],
    },
  ],
  [
    'the pool is not of this cluster',
    { nodes: ['a'], replicas: [replica('r', [{ ...ask(1), pool: 'other' }])], granted: [] },
  ],
];

test.each(table)('grantPools where %s', (_name, { nodes, replicas, earlier = [], granted }) => {
  expect(grantPools({ pools: [pool(nodes)], replicas, earlier, now })).toEqual(granted);
});

test('grantPools tells apart pools, and replicas of one name in two namespaces', () => {
  const pools = [pool(['a']), pool(['b'], 'racks')];
  const replicas = [replica('r', [ask(8)]), { ...replica('r', [{ ...ask(8), pool: 'racks' }]), namespace: 'code' }];
  expect(grantPools({ pools, replicas, earlier: [], now })).toEqual([
    grant('r', 8, ['a'], now),
    { ...grant('r', 8, ['b'], now), pool: 'racks', namespace: 'code' },
  ]);
});
