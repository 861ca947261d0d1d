import { expect, test } from 'vitest';
import { type Climb, climbLadder, type LadderQuestion } from './climb-ladder.ts';
import type { GroupView, RungState, RungView } from './rung.ts';

const now = new Date('2026-12-01T12:00:00Z');

function minutesAgo(minutes: number): string {
  return new Date(now.getTime() - minutes * 60_000).toISOString();
}

/** A rung as a row says it: what it holds, and for how long it has been asked or parked. */
interface Row {
  readonly nodes?: number;
  readonly price?: number;
  /** Minutes since it was asked; it then has a size of one. */
  readonly asked?: number;
  /** Minutes since it was parked; it then has a size of zero. */
  readonly parked?: number;
  /** Size that the provider reports, where that is not the size that was asked for. */
  readonly reported?: number;
  readonly status?: string;
  readonly joined?: number;
  readonly usable?: number;
  readonly allowed?: boolean;
  readonly ending?: boolean;
}

function view(name: string, row: Row): RungView {
  const { nodes = 1, price = 1, asked, parked, allowed = true } = row;
  const exists = asked !== undefined || parked !== undefined || (row.joined ?? 0) > 0;
  const groups = exists
    ? Array.from({ length: nodes }, (_unused, index) => groupOf(`${name}-${index}`, row, index))
    : [];
  return { name, nodes, usdPerHour: price, groups, allowed, ...(row.ending === true ? { isEnding: true } : {}) };
}

function groupOf(name: string, row: Row, index: number): GroupView {
  const specSize = row.asked === undefined ? 0 : 1;
  return {
    key: `pool-${name}`,
    name,
    specSize,
    observedSize: row.reported ?? specSize,
    providerStatus: row.status ?? 'ACTIVE',
    joined: index < (row.joined ?? 0) ? 1 : 0,
    usable: index < (row.usable ?? row.joined ?? 0) ? 1 : 0,
    ...(row.asked === undefined ? {} : { askedAt: minutesAgo(row.asked) }),
    ...(row.parked === undefined ? {} : { parkedAt: minutesAgo(row.parked) }),
  };
}

interface Setting {
  readonly hedge?: number;
  readonly budget?: number;
  readonly quota?: number;
  readonly patience?: number;
  readonly live?: string;
  readonly serving?: boolean;
  readonly moved?: boolean;
}

function question(rungs: Readonly<Record<string, Row>>, setting: Setting): LadderQuestion {
  const { hedge = 2, budget, quota = 10, patience = 12, live, serving = false, moved = false } = setting;
  return {
    rungs: Object.entries(rungs).map(([name, row]) => view(name, row)),
    policy: {
      patienceMinutes: patience,
      hedge,
      nodeGroupsLeft: quota,
      ...(budget === undefined ? {} : { usdPerHour: budget }),
    },
    serving,
    claimMoved: moved,
    now,
    ...(live === undefined ? {} : { liveRung: live }),
  };
}

/** What is wanted of each rung with its state, and what else was decided, as one line each. */
function summarize({ decisions, winner, leaving, next, wakeInSeconds }: Climb): Readonly<Record<string, unknown>> {
  const rungs = decisions.map(({ rung, wanted, state }) => [rung.name, `${wanted} ${state}`]);
  return {
    ...Object.fromEntries(rungs),
    ...(winner === undefined ? {} : { winner: winner.name }),
    ...(leaving === undefined ? {} : { leaving: leaving.name }),
    ...(next === undefined ? {} : { next: `${next.rung.name} at ${next.totalUsdPerHour}` }),
    ...(wakeInSeconds === undefined ? {} : { wake: wakeInSeconds }),
  };
}

type Ladder = readonly [string, Readonly<Record<string, Row>>, Setting, Readonly<Record<string, unknown>>];

const climbing: readonly Ladder[] = [
  [
    'L13 nothing was asked yet: the preferred rung is asked, and the next is told with what both would cost',
    { a: {}, b: { price: 2 } },
    {},
    { a: 'Asked Asked', b: 'Untouched Free', next: 'b at 3' },
  ],
  [
    'L13 rule 2: patience is not over',
    { a: { asked: 11 }, b: {} },
    {},
    { a: 'Asked Asked', b: 'Untouched Free', next: 'b at 2', wake: 60 },
  ],
  [
    'L13 rule 2: patience is over, so that the next is asked beside the earlier one',
    { a: { asked: 12 }, b: {}, c: {} },
    {},
    { a: 'Asked Asked', b: 'Asked Asked', c: 'Untouched Free', next: 'c at 3' },
  ],
  [
    'L13 patience is counted from the latest asking',
    { a: { asked: 20 }, b: { asked: 8 }, c: {} },
    { hedge: 3 },
    { a: 'Asked Asked', b: 'Asked Asked', c: 'Untouched Free', next: 'c at 3', wake: 240 },
  ],
  [
    'L13 rule 2: hedge leaves no room, so that the rung that asked longest is parked',
    { a: { asked: 24 }, b: { asked: 12 }, c: {} },
    {},
    { a: 'Parked Asked', b: 'Asked Asked', c: 'Untouched Free', next: 'c at 3' },
  ],
  [
    'L13 rule 2: the parked rung is not seen at zero yet, so that the next is not asked',
    { a: { parked: 1, reported: 1 }, b: {} },
    { hedge: 1 },
    { a: 'Untouched Draining', b: 'Untouched Free', next: 'b at 2', wake: 540 },
  ],
  [
    'L13 rule 2: the parked rung drains and makes room already, so that no second one is parked for the same',
    { a: { parked: 1, reported: 1 }, b: { asked: 13 }, c: {} },
    {},
    { a: 'Untouched Draining', b: 'Asked Asked', c: 'Untouched Free', next: 'c at 3', wake: 540 },
  ],
  [
    'L13 rule 2: the parked rung is seen at zero, so that the next is asked',
    { a: { parked: 3 }, b: {} },
    { hedge: 1 },
    { a: 'Untouched Parked', b: 'Asked Asked', next: 'a at 2' },
  ],
  [
    'L13 round and round: the rung that was parked longest ago is asked first, whatever the order',
    { a: { parked: 10 }, b: { parked: 20 } },
    { hedge: 1 },
    { a: 'Untouched Parked', b: 'Asked Asked', next: 'a at 2' },
  ],
  [
    'L3 rule 3: the budget leaves no room beside the first, so that the first is parked',
    { a: { asked: 12 }, b: { price: 2 } },
    { budget: 2 },
    { a: 'Parked Asked', b: 'Untouched Free' },
  ],
  [
    'L3 rule 3: a draining rung still costs, so that the next waits',
    { a: { parked: 1, reported: 1 }, b: { price: 2 } },
    { budget: 2 },
    { a: 'Untouched Draining', b: 'Untouched Free', wake: 540 },
  ],
  [
    'L3 rule 3: the preferred rung does not fit beside the first and a later one does',
    { a: { asked: 12 }, b: { price: 5 }, c: { price: 1 } },
    { budget: 2 },
    { a: 'Asked Asked', b: 'Untouched Free', c: 'Asked Asked' },
  ],
  [
    'L3 rule 3: a smaller budget no longer holds all that is asked, so that an empty rung is parked at once',
    { a: { asked: 30 }, b: { asked: 20, price: 2 } },
    { budget: 2 },
    { a: 'Parked Asked', b: 'Asked Asked' },
  ],
  [
    'L3 rule 3: a smaller budget will hold the rest once a parked rung is seen at zero, so that nothing more is parked',
    { a: { parked: 1, reported: 1 }, b: { asked: 20, price: 2 } },
    { budget: 2 },
    { a: 'Untouched Draining', b: 'Asked Asked', wake: 540 },
  ],
  [
    'rule 2: nothing is parked when the quota of node groups refuses every rung that waits',
    { a: { asked: 30 }, b: {} },
    { hedge: 1, quota: 0 },
    { a: 'Asked Asked', b: 'Untouched Free' },
  ],
  [
    'rule 2: nothing is parked when its place would still not hold any rung that waits',
    { a: { asked: 30 }, b: { asked: 20, joined: 1, nodes: 2, price: 2 }, c: { price: 3 } },
    { budget: 3 },
    { a: 'Asked Asked', b: 'Asked Arriving', c: 'Untouched Free' },
  ],
  [
    'rule 2: a rung that was asked too lately to have joined is not parked, however short the patience',
    { a: { asked: 4 }, b: {} },
    { hedge: 1, patience: 1 },
    { a: 'Asked Asked', b: 'Untouched Free', next: 'b at 2', wake: 360 },
  ],
  [
    'the quota leaves room for a rung of one node and not for a gang',
    { a: { asked: 12 }, b: { nodes: 2 }, c: {} },
    { quota: 1 },
    { a: 'Asked Asked', b: 'Untouched Free', c: 'Asked Asked' },
  ],
  [
    'the quota is used up and a parked rung has its groups already',
    { a: { asked: 12 }, b: { parked: 60 } },
    { quota: 0 },
    { a: 'Asked Asked', b: 'Asked Asked' },
  ],
  [
    'L13 every rung was asked and patience is over, and each keeps asking',
    { a: { asked: 240 }, b: { asked: 12 } },
    {},
    { a: 'Asked Asked', b: 'Asked Asked' },
  ],
  [
    'L9 half a gang holds a node, so that it is never the one that is parked',
    { a: { asked: 60, nodes: 2, joined: 1 }, b: { asked: 12 }, c: {} },
    {},
    { a: 'Asked Arriving', b: 'Parked Asked', c: 'Untouched Free', next: 'c at 3' },
  ],
  [
    'L12 a rung that is no candidate any more holds a node and is kept',
    { a: {}, old: { asked: 600, nodes: 2, joined: 1, allowed: false } },
    {},
    { a: 'Asked Asked', old: 'Asked Arriving' },
  ],
  [
    'L13 a rung that is no candidate any more gets its node late and nothing runs on it, so that a candidate is asked on',
    { a: { asked: 11 }, old: { asked: 600, joined: 1, allowed: false } },
    {},
    { a: 'Asked Asked', old: 'Asked Usable', wake: 60 },
  ],
  [
    'L12 rule 5: the author asks for what the live rung cannot hold: it serves on, and a candidate is asked beside it',
    { a: {}, old: { asked: 600, joined: 1, allowed: false } },
    { live: 'old', serving: true, moved: true, hedge: 1 },
    { a: 'Asked Asked', old: 'Asked Serving', leaving: 'old' },
  ],
  [
    'L3 rule 5: the budget leaves no room beside the rung that is to be left: it is kept, and nothing is asked',
    { a: {}, old: { asked: 600, joined: 1, allowed: false } },
    { live: 'old', serving: true, moved: true, budget: 1 },
    { a: 'Untouched Free', old: 'Asked Serving', leaving: 'old' },
  ],
  [
    'L12 rule 5: the author asks for what no candidate can hold: what serves is kept',
    { old: { asked: 600, joined: 1, allowed: false } },
    { live: 'old', serving: true, moved: true },
    { old: 'Asked Serving', leaving: 'old' },
  ],
  [
    'L15 rule 7: the reservation of the live rung nears its end: it serves on, and a candidate is asked beside it',
    { a: {}, old: { asked: 600, joined: 1, allowed: false, ending: true } },
    { live: 'old', serving: true, hedge: 1 },
    { a: 'Asked Asked', old: 'Asked Serving', leaving: 'old' },
  ],
  [
    'L15 rule 7: the replacement has not come when the end is near: what serves is not given back',
    { a: { asked: 20 }, old: { asked: 600, joined: 1, allowed: false, ending: true } },
    { live: 'old', serving: true, hedge: 1 },
    { a: 'Asked Asked', old: 'Asked Serving', leaving: 'old' },
  ],
  [
    'L15 a reservation that ends and holds nothing gives up its place at once',
    { a: { asked: 2 }, old: { asked: 5, allowed: false, ending: true } },
    {},
    { a: 'Asked Asked', old: 'Parked Asked', wake: 600 },
  ],
  [
    'L15 S1 the node of the live rung went with its reservation: the next is asked, and what was asked is kept',
    { a: { asked: 12 }, b: {}, old: { asked: 600, joined: 0, reported: 0, allowed: false, ending: true } },
    { live: 'old', hedge: 3 },
    { a: 'Asked Asked', b: 'Asked Asked', old: 'Asked Asked' },
  ],
];

test.each(climbing)('climbLadder climbs when %s', (_name, rungs, setting, expected) => {
  expect(summarize(climbLadder(question(rungs, setting)))).toEqual(expected);
});

const won: readonly Ladder[] = [
  [
    'L12 a rung that is no candidate any more serves: an upgrade may have judged it anew, so nothing is moved',
    { a: {}, old: { asked: 600, joined: 1, allowed: false } },
    { live: 'old', serving: true },
    { a: 'Untouched Free', old: 'Asked Serving', winner: 'old' },
  ],
  [
    'L11 rule 1: EKS gave up on the group and its node joined all the same',
    { a: { asked: 300, joined: 1, status: 'CREATE_FAILED' }, b: { asked: 280 } },
    {},
    { a: 'Asked Usable', b: 'Parked Asked', winner: 'a' },
  ],
  [
    'L9 rule 4: all nodes of a gang are usable and the preferred rung has none',
    { a: { asked: 300 }, gang: { asked: 280, nodes: 2, joined: 2 } },
    {},
    { a: 'Parked Asked', gang: 'Asked Usable', winner: 'gang' },
  ],
  [
    'rule 4: a loser was asked too lately to be parked, since an instance may be booting',
    { a: { asked: 14 }, b: { asked: 2, joined: 1 }, c: { asked: 9 } },
    { hedge: 3 },
    { a: 'Parked Asked', b: 'Asked Usable', c: 'Asked Asked', winner: 'b', wake: 60 },
  ],
  [
    'L12 rule 4: a late loser has a node and the winner does not serve yet',
    { a: { asked: 60, joined: 1 }, b: { asked: 50, joined: 1 } },
    { live: 'b' },
    { a: 'Asked Usable', b: 'Asked Usable', winner: 'b' },
  ],
  [
    'rule 4: a late loser has a node and the winner serves',
    { a: { asked: 60, joined: 1 }, b: { asked: 50, joined: 1 } },
    { live: 'b', serving: true },
    { a: 'Parked Usable', b: 'Asked Serving', winner: 'b' },
  ],
  [
    'rule 5: what serves stays although a preferred rung got its node',
    { a: { asked: 60, joined: 1 }, b: { asked: 50, joined: 1, usable: 0 } },
    { live: 'b' },
    { a: 'Asked Usable', b: 'Asked Joined', winner: 'b' },
  ],
  [
    'rule 5: the node of what served is lost and another rung has one',
    { a: { asked: 60, joined: 1 }, b: { asked: 50 } },
    { live: 'b' },
    { a: 'Asked Usable', b: 'Parked Asked', winner: 'a' },
  ],
  [
    'L12 a part of a gang still serves while another rung has its node',
    { a: { asked: 60, joined: 1 }, gang: { asked: 50, nodes: 2, joined: 1 } },
    { live: 'gang', serving: true },
    { a: 'Asked Usable', gang: 'Asked Serving', winner: 'a' },
  ],
  [
    'L12 a node joined a rung after it was parked and nothing else has one',
    { a: { parked: 1, reported: 1, joined: 1 }, b: { asked: 1 } },
    {},
    { a: 'Asked Usable', b: 'Asked Asked', winner: 'a', wake: 540 },
  ],
  [
    'L14 with a winner no further rung is asked, however long ago the last was',
    { a: { asked: 600, joined: 1 }, b: {}, c: { parked: 300 } },
    { live: 'a', serving: true },
    { a: 'Asked Serving', b: 'Untouched Free', c: 'Untouched Parked', winner: 'a' },
  ],
  [
    'L12 rule 5: a candidate has its node, and what is to be left serves until the candidate does',
    { a: { asked: 20, joined: 1 }, old: { asked: 600, joined: 1, allowed: false } },
    { live: 'old', serving: true, moved: true },
    { a: 'Asked Usable', old: 'Asked Serving', winner: 'a' },
  ],
  [
    'L15 rule 7: the replacement has its node, and the reservation is kept until the replacement serves',
    { a: { asked: 20, joined: 1 }, old: { asked: 600, joined: 1, allowed: false, ending: true } },
    { live: 'old', serving: true },
    { a: 'Asked Usable', old: 'Asked Serving', winner: 'a' },
  ],
  [
    'L15 rule 7: the replacement serves, and the reservation is given back',
    { a: { asked: 20, joined: 1 }, old: { asked: 600, joined: 1, allowed: false, ending: true } },
    { live: 'a', serving: true },
    { a: 'Asked Serving', old: 'Parked Usable', winner: 'a' },
  ],
  [
    'rule 5: the live rung still holds the edited claim, so that it stays',
    { a: { asked: 20, joined: 1 }, old: { asked: 600, joined: 1 } },
    { live: 'old', serving: true, moved: true },
    { a: 'Parked Usable', old: 'Asked Serving', winner: 'old' },
  ],
];

test.each(won)('climbLadder settles when %s', (_name, rungs, setting, expected) => {
  expect(summarize(climbLadder(question(rungs, setting)))).toEqual(expected);
});

const states: readonly [RungState, Row, Setting][] = [
  ['Free', {}, { quota: 0 }],
  ['Parked', { parked: 5 }, { quota: 0 }],
  ['Draining', { parked: 5, reported: 1 }, {}],
  ['Asked', { asked: 5 }, {}],
  ['Arriving', { asked: 5, nodes: 2, joined: 1 }, {}],
  ['Joined', { asked: 5, joined: 1, usable: 0 }, {}],
  ['Usable', { asked: 5, joined: 1 }, {}],
  ['Serving', { asked: 5, joined: 1 }, { live: 'a', serving: true }],
];

test.each(states)('L13 the state of a rung is %s when its nodes say so', (state, row, setting) => {
  const only = { ...row, allowed: false };
  const { decisions } = climbLadder(question({ a: only }, setting));
  expect(decisions.map((decision) => decision.state)).toEqual([state]);
});

const exhaustion: readonly [string, Readonly<Record<string, Row>>, Setting, boolean][] = [
  ['every rung is asked and patience is over', { a: { asked: 24 }, b: { asked: 12 } }, {}, true],
  ['patience is not over', { a: { asked: 24 }, b: { asked: 11 } }, {}, false],
  ['a rung that fits the budget waits', { a: { asked: 24 }, b: {} }, {}, false],
  [
    'L13 every rung was asked once and one gave up its place',
    { a: { asked: 24 }, b: { asked: 13 }, c: { parked: 30 } },
    {},
    true,
  ],
  ['a parked rung is asked again now', { a: { asked: 12 }, b: { parked: 30 } }, {}, false],
  ['a rung has won', { a: { asked: 24, joined: 1 }, b: { asked: 12 } }, {}, false],
  ['no rung may be asked', { a: { asked: 24, allowed: false } }, {}, true],
];

test.each(exhaustion)('L13 the ladder is exhausted or not when %s', (_name, rungs, setting, expected) => {
  expect(climbLadder(question(rungs, setting)).exhausted).toBe(expected);
});

test('L8 L11 no word of the provider changes a decision', () => {
  const words = ['CREATE_FAILED', 'DEGRADED', 'ACTIVE', 'DELETING', 'try another zone'];
  const decided = words.map((status) =>
    summarize(
      climbLadder(
        question({ a: { asked: 12, status }, b: { asked: 2, joined: 1, usable: 0, status }, c: {} }, { hedge: 3 }),
      ),
    ),
  );
  expect(decided).toEqual(words.map(() => decided[0]));
});
