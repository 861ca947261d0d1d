import { describe, expect, test } from 'vitest';
import { climbLadder, type LadderQuestion } from '../climb-ladder.ts';
import type { GroupView, PoolPlace, RungView } from '../rung.ts';
import { listPoolAsks } from './list-pool-asks.ts';
import { describeEvidence, poolCondition } from './pool-condition.ts';

const now = new Date('2026-12-01T12:00:00Z');

function node(name: string, usable = 1): GroupView {
  return {
    key: `node-${name}`,
    name,
    specSize: 1,
    observedSize: 1,
    askedAt: '2026-12-01T11:00:00Z',
    joined: 1,
    usable,
  };
}
const gone: GroupView = { key: 'node-a', name: 'a', specSize: 0, observedSize: 0, joined: 0, usable: 0 };

function onPool(room: PoolPlace['room'], groups: readonly GroupView[] = [], more: Partial<PoolPlace> = {}): RungView {
  const pool: PoolPlace = {
    name: 'metal',
    acceleratorsPerNode: 2,
    room,
    lost: [],
    leaving: [],
    free: '1 of 8',
    ...more,
  };
  return { name: 'mi300x/1x2-tp2-pp1/pool/metal', nodes: 1, usdPerHour: 4, allowed: true, pool, groups };
}

function onEks(minutes?: number, joined = 0): RungView {
  const askedAt = new Date(now.getTime() - (minutes ?? 0) * 60_000).toISOString();
  const group = { key: 'pool-g', name: 'g', specSize: 1, observedSize: 1, askedAt, joined, usable: joined };
  return {
    name: 'l40s/1x1-tp1-pp1/OnDemand',
    nodes: 1,
    usdPerHour: 2,
    allowed: true,
    groups: minutes === undefined ? [] : [group],
  };
}

function question(rungs: readonly RungView[], more: Partial<LadderQuestion> = {}): LadderQuestion {
  return { rungs, policy: { patienceMinutes: 12, hedge: 2, nodeGroupsLeft: 5 }, serving: false, now, ...more };
}

const live = { liveRung: onPool('Free').name };
const asked = { pool: 'metal', nodes: 1, acceleratorsPerNode: 2, holds: [] as string[], lost: [] as string[] };
const granted = { ...asked, holds: ['a'] };

interface Row {
  readonly question: LadderQuestion;
  readonly asks: readonly unknown[];
  /** Other rungs that ask for node groups. */
  readonly eks: boolean;
  readonly reason: string | undefined;
}

const table: readonly [string, Row][] = [
  [
    'a pool has room',
    { question: question([onPool('Free'), onEks()]), asks: [asked], eks: false, reason: 'WaitingForGrant' },
  ],
  [
    'a pool has room and the author prefers EKS',
    { question: question([onEks(), onPool('Free')]), asks: [], eks: true, reason: undefined },
  ],
  [
    'L13 patience with EKS is over',
    { question: question([onEks(13), onPool('Free')]), asks: [asked], eks: true, reason: undefined },
  ],
  [
    'a full pool is passed over at once',
    { question: question([onPool('Full'), onEks()]), asks: [], eks: true, reason: undefined },
  ],
  [
    'nothing else is left, and the pool is full: it queues',
    { question: question([onPool('Full')]), asks: [asked], eks: false, reason: 'PoolFull' },
  ],
  [
    'EKS lets wait, and the full pool has its turn beside it',
    { question: question([onPool('Full'), onEks(13)]), asks: [asked], eks: true, reason: undefined },
  ],
  [
    'EKS lets wait, and the budget has no room for the pool beside it',
    {
      question: question([onPool('Full'), onEks(5)], {
        policy: { patienceMinutes: 12, hedge: 2, nodeGroupsLeft: 5, usdPerHour: 5 },
      }),
      asks: [],
      eks: true,
      reason: undefined,
    },
  ],
  [
    'the cluster may hold no node group more, which a pool does not need',
    {
      question: question([onPool('Free')], { policy: { patienceMinutes: 12, hedge: 2, nodeGroupsLeft: 0 } }),
      asks: [asked],
      eks: false,
      reason: 'WaitingForGrant',
    },
  ],
  [
    'it is granted',
    { question: question([onPool('Granted', [node('a')]), onEks()]), asks: [granted], eks: false, reason: undefined },
  ],
  [
    'it serves on a granted node that is not Ready for a while',
    {
      question: question([onPool('Granted', [node('a', 0)]), onEks()], live),
      asks: [granted],
      eks: false,
      reason: undefined,
    },
  ],
  [
    'S1 the node is gone: the claim stays, and EKS is asked beside it',
    {
      question: question([onPool('Granted', [gone], { lost: ['a'] }), onEks()], live),
      asks: [{ ...asked, lost: ['a'] }],
      eks: true,
      reason: 'PoolNodeLost',
    },
  ],
  [
    'another node is granted while its engine has not left the first',
    {
      question: question([onPool('Granted', [node('b')], { leaving: ['a'] })], live),
      asks: [{ ...asked, holds: ['b'], lost: ['a'] }],
      eks: false,
      reason: undefined,
    },
  ],
  [
    'L12 another rung won and serves: the pool is given back',
    {
      question: question([onEks(30, 1), onPool('Granted', [node('a')])], { liveRung: onEks().name, serving: true }),
      asks: [],
      eks: true,
      reason: undefined,
    },
  ],
  [
    'L12 another rung won and does not serve yet: what serves may be here',
    {
      question: question([onEks(30, 1), onPool('Granted', [node('a')])], { liveRung: onEks().name }),
      asks: [granted],
      eks: true,
      reason: undefined,
    },
  ],
];

describe('listPoolAsks', () => {
  test.each(table)('asks the ledger for what is wanted when %s', (_name, row) => {
    const climb = climbLadder(row.question);
    expect({
      asks: listPoolAsks(row.question, climb),
      eks: climb.decisions.some(({ rung, wanted }) => rung.pool === undefined && wanted === 'Asked'),
      reason: poolCondition(climb, 'north', row.question.liveRung)?.reason,
    }).toEqual({ asks: row.asks, eks: row.eks, reason: row.reason });
  });
});

const said: readonly [string, RungView, string][] = [
  ['it is granted', onPool('Granted', [node('a')]), '2 accelerators on a'],
  ['it is not', onPool('Full'), 'wants 2 accelerators on one node; 1 of 8 are free'],
  [
    'the cluster has the pool no more',
    onPool('Full', [], { free: undefined }),
    'wants 2 accelerators on one node; nothing is free',
  ],
  [
    'its node is gone',
    onPool('Granted', [gone], { lost: ['a'] }),
    'a is gone; wants 2 accelerators on one node in its place',
  ],
  [
    'it is a gang of single ones',
    { ...onPool('Free', [], { acceleratorsPerNode: 1 }), nodes: 2 },
    'wants 1 accelerator on each of 2 nodes; 1 of 8 are free',
  ],
];

test.each(said)('describeEvidence says what the ledger says when %s', (_name, rung, text) => {
  expect(rung.pool === undefined ? '' : describeEvidence(rung, rung.pool)).toBe(text);
});

test('poolCondition names what is wanted, of what, and what would help', () => {
  const say = (rungs: readonly RungView[], more = {}) =>
    poolCondition(climbLadder(question(rungs, more)), 'north', (more as LadderQuestion).liveRung)?.message;
  expect(say([onPool('Free')])).toBe(
    'Waiting until InferenceCluster "north" grants 2 accelerators on one node of pool "metal"',
  );
  expect(say([onPool('Full')])).toBe(
    'Waiting for 2 accelerators on one node of pool "metal" of InferenceCluster "north", where 1 of 8 are free: release replicas, add nodes to the pool, or allow another class',
  );
  expect(say([onPool('Granted', [gone], { lost: ['b', 'a'] })], live)).toBe(
    'Nodes "a", "b" are gone from the cluster with the engine that ran there: wait until InferenceCluster "north" grants 2 accelerators on one node of pool "metal" elsewhere, or bring the node back',
  );
});
