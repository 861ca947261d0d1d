import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { sumUsd } from '../units/usd.ts';
import { type Grant, grantShares, listDemands, type ReplicaDemand, readGrants } from './grant-shares.ts';

const demand = (replica: string, asked: number, wanted: number | undefined, namespace = 'chat'): ReplicaDemand => {
  return { namespace, replica, asked, wanted };
};
const grant = (replica: string, usdPerHour: number, namespace = 'chat'): Grant => ({ namespace, replica, usdPerHour });
const cap = 10;

const table: readonly [string, readonly ReplicaDemand[], readonly Grant[], readonly Grant[]][] = [
  ['nobody wants anything', [], [], []],
  ['there is room for all', [demand('a', 0, 4), demand('b', 0, 6)], [], [grant('a', 4), grant('b', 6)]],
  [
    'L3 there is room for one, so that the older has it',
    [demand('a', 0, 6), demand('b', 0, 6)],
    [],
    [grant('a', 6), grant('b', 0)],
  ],
  [
    'L3 the older is too large, so that the younger has the room',
    [demand('a', 0, 11), demand('b', 0, 6)],
    [],
    [grant('a', 0), grant('b', 6)],
  ],
  ['S1 the younger has asked already', [demand('a', 0, 6), demand('b', 6, 6)], [], [grant('a', 0), grant('b', 6)]],
  [
    'the younger was granted and may have asked since',
    [demand('a', 0, 6), demand('b', 0, 6)],
    [grant('b', 6)],
    [grant('a', 0), grant('b', 6)],
  ],
  [
    'S1 the status of the younger cannot be read, so that it may have asked for all it was granted',
    [demand('a', 0, 6), demand('b', 0, undefined)],
    [grant('b', 6)],
    [grant('a', 0), grant('b', 6)],
  ],
  [
    'a grant is wanted no more',
    [demand('a', 0, 6), demand('b', 0, 0)],
    [grant('b', 6)],
    [grant('a', 6), grant('b', 0)],
  ],
  [
    'one that has asked wants the next rung',
    [demand('a', 2, 5), demand('b', 2, 2)],
    [grant('a', 2), grant('b', 2)],
    [grant('a', 5), grant('b', 2)],
  ],
  [
    'the next rung has no room',
    [demand('a', 2, 9), demand('b', 2, 2)],
    [grant('a', 2), grant('b', 2)],
    [grant('a', 2), grant('b', 2)],
  ],
  [
    'S1 the cap was lowered below what is asked',
    [demand('a', 8, 9), demand('b', 8, 8)],
    [],
    [grant('a', 8), grant('b', 8)],
  ],
  [
    'two namespaces do not share',
    [demand('a', 0, 8), demand('a', 0, 8, 'code')],
    [],
    [grant('a', 8), grant('a', 8, 'code')],
  ],
  ['a replica is gone', [demand('b', 0, 6)], [grant('a', 6)], [grant('b', 6)]],
];

test.each(table)('grantShares where %s', (_name, demands, earlier, grants) => {
  expect(grantShares(demands, earlier, cap)).toEqual(grants);
});

describe('S1 replicas that ask for what they were granted', () => {
  const replicas = ['a', 'b', 'c', 'd'];
  const wishes = fc.array(fc.record({ who: fc.integer({ min: 0, max: 3 }), wanted: fc.integer({ min: 0, max: 12 }) }), {
    maxLength: 30,
  });

  test('never spend more than the cap together, whoever looks when, and keep what they asked for', () => {
    fc.assert(
      fc.property(wishes, (steps) => {
        const asked = new Map(replicas.map((name) => [name, 0]));
        const wanted = new Map(asked);
        let grants: readonly Grant[] = [];
        for (const { who, wanted: wish } of steps) {
          const name = replicas[who] ?? 'a';
          // The replica reconciles: it asks for what it would like, up to what the ledger last granted, and says both.
          const granted = grants.find(({ replica }) => replica === name)?.usdPerHour ?? 0;
          const before = asked.get(name) ?? 0;
          asked.set(name, Math.max(before, Math.min(granted, wish)));
          wanted.set(name, Math.max(wish, asked.get(name) ?? 0));
          // The ledger may reconcile only now and then.
          if (wish % 3 !== 0) {
            const demands = replicas.map((one) => demand(one, asked.get(one) ?? 0, wanted.get(one) ?? 0));
            grants = grantShares(demands, grants, cap);
            for (const one of grants) expect(one.usdPerHour).toBeGreaterThanOrEqual(asked.get(one.replica) ?? 0);
            expect(sumUsd(grants.map(({ usdPerHour }) => usdPerHour))).toBeLessThanOrEqual(cap);
          }
          expect(sumUsd([...asked.values()])).toBeLessThanOrEqual(cap);
        }
      }),
    );
  });
});

function replica(name: string, clusterName: string, createdAt: string | undefined, status: unknown): KubernetesObject {
  const metadata = { name, namespace: 'chat', ...(createdAt === undefined ? {} : { creationTimestamp: createdAt }) };
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata,
    spec: { clusterName },
    status,
  } as KubernetesObject;
}

test('listDemands takes the replicas of one cluster, oldest first, and what each says of itself', () => {
  const replicas = [
    replica('young', 'europe', '2026-12-01T10:00:00Z', { usdPerHour: 1, wantedUsdPerHour: 3 }),
    replica('elsewhere', 'america', '2026-12-01T08:00:00Z', { usdPerHour: 1 }),
    replica('old', 'europe', '2026-12-01T09:00:00Z', { usdPerHour: 2 }),
    replica('unreadable', 'europe', '2026-12-01T11:00:00Z', 'text'),
  ];
  expect(listDemands(replicas, 'europe')).toEqual([
    demand('old', 2, 2),
    demand('young', 1, 3),
    demand('unreadable', 0, undefined),
  ]);
});

test('readGrants leaves out rows that cannot be read', () => {
  const rows = [grant('a', 1), { ...grant('b', 2), usdPerHour: 'much' }, 'text'];
  const cluster = { apiVersion: 'v1', kind: 'A', metadata: {}, status: { ledger: { grants: rows } } };
  expect(readGrants(cluster as unknown as KubernetesObject)).toEqual([grant('a', 1)]);
  expect(readGrants({ ...cluster, status: 'text' } as unknown as KubernetesObject)).toEqual([]);
});
