import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { listAsks, type PoolAsk } from './pool-ask.ts';
import type { PoolGrant } from './pool-grant.ts';
import { describePools, readPoolLedger } from './pool-ledger.ts';
import type { PoolView } from './pool-node.ts';

const metal: PoolView = {
  name: 'metal',
  className: 'mi300x',
  nodes: [
    { name: 'a', usable: true, accelerators: 8 },
    { name: 'b', usable: true, accelerators: 8 },
    { name: 'c', usable: false, accelerators: 8 },
    { name: 'd', usable: true, accelerators: 0 },
  ],
  others: [],
};
const grant: PoolGrant = {
  pool: 'metal',
  namespace: 'chat',
  replica: 'r',
  acceleratorsPerNode: 2,
  nodes: ['a'],
  since: '2026-12-01T11:00:00Z',
};

function cluster(pools: unknown): KubernetesObject {
  return { apiVersion: 'v1', kind: 'C', metadata: {}, status: { ledger: { pools } } };
}

test('describePools says what is free, by accelerators, by whole nodes and by the emptiest node', () => {
  const [row] = describePools({
    pools: [metal],
    grants: [grant, { ...grant, pool: 'other', nodes: ['x'] }],
    replicas: [],
  });
  expect(row).toEqual({
    name: 'metal',
    className: 'mi300x',
    nodes: 4,
    usableNodes: 3,
    accelerators: 16,
    freeAccelerators: 14,
    freeNodes: 1,
    mostFreeOnNode: 8,
    grants: [{ namespace: 'chat', replica: 'r', acceleratorsPerNode: 2, nodes: ['a'], since: '2026-12-01T11:00:00Z' }],
  });
});

test('describePools does not call free what an engine has not left, nor count the two shapes of one replica twice', () => {
  const ask: PoolAsk = { pool: 'metal', nodes: 1, acceleratorsPerNode: 2, holds: ['a'], lost: ['b'] };
  const grants = [grant, { ...grant, acceleratorsPerNode: 4 }];
  const [row] = describePools({ pools: [metal], grants, replicas: [{ namespace: 'chat', replica: 'r', asks: [ask] }] });
  expect([row?.freeAccelerators, row?.freeNodes, row?.mostFreeOnNode]).toEqual([4 + 6, 0, 6]);
});

test('readPoolLedger reads what describePools says', () => {
  const { rooms, grants } = readPoolLedger(cluster(describePools({ pools: [metal], grants: [grant], replicas: [] })));
  expect(grants).toEqual([grant]);
  expect([...rooms]).toEqual([['metal', { accelerators: 16, freeAccelerators: 14, freeNodes: 1, mostFreeOnNode: 8 }]]);
});

test('S1 readPoolLedger leaves out what cannot be read, and keeps the grants of a pool whose counts cannot', () => {
  const rows = [
    'text',
    { name: 'metal', freeNodes: 'some', grants: ['text', { ...grant, nodes: [1] }, grant] },
    { grants: [grant] },
  ];
  expect(readPoolLedger(cluster(rows))).toEqual({ rooms: new Map(), grants: [grant] });
  expect(readPoolLedger(cluster('text'))).toEqual({ rooms: new Map(), grants: [] });
});

function replica(name: string, clusterName: string, created: string, status: unknown): KubernetesObject {
  const metadata = { name, namespace: 'chat', creationTimestamp: created };
  return { apiVersion: 'v1', kind: 'ModelReplica', metadata, spec: { clusterName }, status } as KubernetesObject;
}

test('listAsks takes the replicas of one cluster, oldest first; a row that cannot be read makes all of them unknown', () => {
  const ask = { pool: 'metal', nodes: 1, acceleratorsPerNode: 2, holds: ['a'], lost: [] };
  const replicas = [
    replica('young', 'north', '2026-12-01T10:00:00Z', { pools: [ask] }),
    replica('elsewhere', 'south', '2026-12-01T08:00:00Z', { pools: [ask] }),
    replica('old', 'north', '2026-12-01T09:00:00Z', { pools: [] }),
    replica('new', 'north', '2026-12-01T11:00:00Z', {}),
    replica('broken', 'north', '2026-12-01T12:00:00Z', { pools: [ask, { ...ask, holds: 'a' }] }),
  ];
  expect(listAsks(replicas, 'north')).toEqual([
    { namespace: 'chat', replica: 'old', asks: [] },
    { namespace: 'chat', replica: 'young', asks: [ask] },
    { namespace: 'chat', replica: 'new', asks: undefined },
    { namespace: 'chat', replica: 'broken', asks: undefined },
  ]);
});
