import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { sumUsd } from '../units/usd.ts';
import { anyNumber } from './amounts.ts';
import {
  describeGrant,
  type Grant,
  grantShares,
  listClassDemands,
  listDemands,
  type ReplicaDemand,
  readGrants,
} from './grant-shares.ts';

const demand = (replica: string, asked: number, wanted: number | undefined, namespace = 'chat'): ReplicaDemand => {
  const priced = (usdPerHour: number) => ({ usdPerHour, accelerators: usdPerHour > 0 ? anyNumber : 0 });
  return { namespace, replica, asked: priced(asked), wanted: wanted === undefined ? undefined : priced(wanted) };
};
const grant = (replica: string, usdPerHour: number, namespace = 'chat') => ({ namespace, replica, usdPerHour });
const caps = { usdPerHour: 10 };

/** Earlier grants as the ledger shows them where only dollars have a cap. */
function published(grants: readonly Grant[]): readonly Grant[] {
  return grants.map((one) => ({ ...one, accelerators: 0 }));
}

/** The same of grants that were just made. */
function shown(grants: readonly Grant[]): readonly unknown[] {
  return grants.map((one) => describeGrant(one, caps));
}

type Priced = ReturnType<typeof grant>;

const table: readonly [string, readonly ReplicaDemand[], readonly Priced[], readonly Priced[]][] = [
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
  const before = earlier.map((one) => ({ ...one, accelerators: 0 }));
  expect(shown(grantShares(demands, before, caps))).toEqual(grants);
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
            grants = published(grantShares(demands, grants, caps));
            for (const one of grants) expect(one.usdPerHour).toBeGreaterThanOrEqual(asked.get(one.replica) ?? 0);
            expect(sumUsd(grants.map(({ usdPerHour }) => usdPerHour))).toBeLessThanOrEqual(caps.usdPerHour);
          }
          expect(sumUsd([...asked.values()])).toBeLessThanOrEqual(caps.usdPerHour);
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
  expect(readGrants(cluster as unknown as KubernetesObject)).toEqual(
    published([{ ...grant('a', 1), accelerators: 0 }]),
  );
  expect(readGrants({ ...cluster, status: 'text' } as unknown as KubernetesObject)).toEqual([]);
});

const both = { usdPerHour: 10, accelerators: 8 };
const of = (replica: string, asked: number, wanted: number, usdPerHour = 1): ReplicaDemand => ({
  namespace: 'chat',
  replica,
  asked: { usdPerHour: asked === 0 ? 0 : usdPerHour, accelerators: asked },
  wanted: { usdPerHour, accelerators: wanted },
});

const counted: readonly [string, readonly ReplicaDemand[], readonly number[]][] = [
  ['there is room for both', [of('a', 0, 4), of('b', 0, 4)], [4, 4]],
  ['there is room for one', [of('a', 0, 6), of('b', 0, 4)], [6, 0]],
  ['S1 the younger has asked already', [of('a', 0, 6), of('b', 4, 4)], [0, 4]],
  ['dollars are left for neither more nor less than both', [of('a', 0, 1, 9), of('b', 0, 1, 2)], [1, 0]],
  [
    'S1 one spends and does not say on how many, so that the other must wait',
    [of('a', anyNumber, anyNumber), of('b', 0, 1)],
    [anyNumber, 0],
  ],
];

test.each(counted)(
  'L3 grantShares counts accelerators beside dollars, all or nothing, where %s',
  (_name, demands, granted) => {
    const grants = grantShares(demands, [], both);
    expect(grants.map(({ accelerators }) => accelerators)).toEqual(granted);
    const unknown = grants.some(({ accelerators }) => accelerators === anyNumber);
    expect(JSON.stringify(grants.map((one) => describeGrant(one, both))).includes('null')).toBe(false);
    expect(describeGrant(grants[0] as Grant, both)).toEqual(
      unknown ? { namespace: 'chat', replica: 'a', usdPerHour: 1 } : { ...grants[0] },
    );
  },
);

test('S1 listDemands takes a replica that spends and says nothing of its accelerators for one that may have any', () => {
  const replicas = [
    replica('silent', 'europe', '2026-12-01T09:00:00Z', { usdPerHour: 2 }),
    replica('idle', 'europe', '2026-12-01T10:00:00Z', { usdPerHour: 0 }),
    replica('told', 'europe', '2026-12-01T11:00:00Z', { usdPerHour: 2, accelerators: 1, wantedAccelerators: 3 }),
  ];
  expect(
    listDemands(replicas, 'europe').map(({ asked, wanted }) => [asked.accelerators, wanted?.accelerators]),
  ).toEqual([
    [anyNumber, anyNumber],
    [0, 0],
    [1, 3],
  ]);
});

describe('L3 listClassDemands', () => {
  const replica = (name: string, classes: readonly string[], status: unknown): KubernetesObject => ({
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata: { name, namespace: 'chat', creationTimestamp: '2026-12-01T00:00:00Z' },
    spec: { clusterName: 'any', placement: { classes } },
    status,
  });
  const row = { class: 'l4', usdPerHour: 1, accelerators: 2, wantedUsdPerHour: 3, wantedAccelerators: 4 };
  const asked = { usdPerHour: 1, accelerators: 2 };
  const rows: readonly [string, KubernetesObject, unknown][] = [
    [
      'reads what a replica says of the class',
      replica('a', ['l4'], { usdPerHour: 9, byClass: [row] }),
      { asked, wanted: { usdPerHour: 3, accelerators: 4 } },
    ],
    ['leaves out a replica of other classes', replica('a', ['l40s'], { usdPerHour: 9, class: 'l40s' }), undefined],
    [
      'S1 counts one that was taken off the class and runs on it still',
      replica('a', ['l40s'], { usdPerHour: 9, class: 'l4', byClass: [row] }),
      { asked, wanted: { usdPerHour: 3, accelerators: 4 } },
    ],
    [
      'S1 takes all that a replica has asked for where it says nothing of the class yet',
      replica('a', ['l4', 'l40s'], { usdPerHour: 9 }),
      {
        asked: { usdPerHour: 9, accelerators: anyNumber },
        wanted: { usdPerHour: 9, accelerators: anyNumber },
      },
    ],
    [
      'S1 knows nothing of one without a status',
      replica('a', ['l4'], undefined),
      { asked: { usdPerHour: 0, accelerators: 0 }, wanted: undefined },
    ],
  ];
  test.each(rows)('%s', (_name, object, expected) => {
    const demands = listClassDemands([object], 'l4');
    expect(demands).toEqual(
      expected === undefined ? [] : [{ namespace: 'chat', replica: 'a', ...(expected as object) }],
    );
  });
});
