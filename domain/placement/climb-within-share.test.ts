import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsOf, ofClass } from './amounts.ts';
import type { LadderQuestion } from './climb-ladder.ts';
import { climbWithinShare, describeWanted, grantCondition, spendingOf, wantedOf } from './climb-within-share.ts';
import type { NamespaceShare } from './namespace-share.ts';
import type { RungView } from './rung.ts';

const now = new Date('2026-12-01T12:00:00Z');

function rung(name: string, usdPerHour: number, askedMinutes?: number, joined = 0): RungView {
  const askedAt =
    askedMinutes === undefined ? undefined : new Date(now.getTime() - askedMinutes * 60_000).toISOString();
  const group = {
    key: `pool-${name}`,
    name,
    specSize: 1,
    observedSize: 1,
    providerStatus: 'ACTIVE',
    joined,
    usable: joined,
  };
  const groups = askedAt === undefined ? [] : [{ ...group, askedAt }];
  return { name, nodes: 1, usdPerHour, groups, allowed: true };
}

function question(rungs: readonly RungView[], usdPerHour?: number): LadderQuestion {
  const bound = usdPerHour === undefined ? {} : { usdPerHour };
  return { rungs, policy: { patienceMinutes: 12, hedge: 2, nodeGroupsLeft: 10, ...bound }, serving: false, now };
}

const share = (granted: number, others = 0, cap = 10): NamespaceShare => {
  return { namespace: 'chat', owner: 'InferenceCluster "europe"', cap, granted, others };
};

interface Row {
  readonly rungs: readonly RungView[];
  readonly budget?: number;
  readonly share: NamespaceShare | undefined;
  readonly asked: readonly string[];
  readonly wanted: number | undefined;
  readonly waits?: string;
}

const table: readonly [string, Row][] = [
  ['the namespace has no cap', { rungs: [rung('a', 2)], share: undefined, asked: ['a'], wanted: undefined }],
  [
    'L3 nothing is granted yet, so that nothing is asked and the price is wanted',
    {
      rungs: [rung('a', 2)],
      share: share(0, 7),
      asked: [],
      wanted: 2,
      waits:
        'Waiting until InferenceCluster "europe" grants USD 2.00/h: the other replicas of namespace "chat" hold USD 7.00/h of USD 10.00/h',
    },
  ],
  ['it is granted', { rungs: [rung('a', 2)], share: share(2, 7), asked: ['a'], wanted: 2 }],
  [
    'L9 patience is over, so that the next rung is wanted too',
    { rungs: [rung('a', 2, 13), rung('b', 3)], share: share(2), asked: ['a'], wanted: 5 },
  ],
  [
    'L9 the next rung is granted',
    { rungs: [rung('a', 2, 13), rung('b', 3)], share: share(5), asked: ['a', 'b'], wanted: 5 },
  ],
  [
    'L3 the cap has no room for both rungs, so that the one that would take the place is wanted',
    { rungs: [rung('a', 2, 13), rung('b', 3)], share: share(2, 6), asked: ['a'], wanted: 3 },
  ],
  [
    'L3 that one is granted, so that the first gives up its place',
    { rungs: [rung('a', 2, 13), rung('b', 3)], share: share(3, 6), asked: [], wanted: 3 },
  ],
  [
    'L3 the cap has no room for the next rung at all',
    { rungs: [rung('a', 2, 13), rung('b', 3)], share: share(2, 7.5), asked: ['a'], wanted: 2 },
  ],
  [
    'L3 its own budget has no room for the next rung',
    { rungs: [rung('a', 2, 13), rung('b', 3)], budget: 2.5, share: share(10), asked: ['a'], wanted: 2 },
  ],
  ['S1 the ledger has forgotten its grant', { rungs: [rung('a', 2, 1)], share: share(0, 7), asked: ['a'], wanted: 2 }],
  [
    'S1 the cap was lowered below what is asked',
    { rungs: [rung('a', 2, 1)], share: share(2, 7, 5), asked: ['a'], wanted: 2 },
  ],
  [
    'S1 its node has joined and the ledger has forgotten it',
    { rungs: [rung('a', 2, 5, 1)], share: share(0), asked: ['a'], wanted: 2 },
  ],
];

describe('climbWithinShare where', () => {
  test.each(table)('%s', (_name, { rungs, budget, share: room, asked, wanted, waits }) => {
    const shares = room === undefined ? undefined : { usdPerHour: room };
    const shared = climbWithinShare(question(rungs, budget), shares);
    const names = shared.climb.decisions.filter((decision) => decision.wanted === 'Asked').map((one) => one.rung.name);
    const wants = shared.wished === undefined ? undefined : wantedOf(shared).usdPerHour;
    expect({ asked: names, wanted: wants, waits: grantCondition(shared, shares)?.message }).toEqual({
      asked,
      wanted,
      waits,
    });
  });

  test('patience has not ended, it wakes when it does and says what is asked then', () => {
    const { climb } = climbWithinShare(question([rung('a', 2, 2), rung('b', 3)]), { usdPerHour: share(2) });
    expect([climb.wakeInSeconds, spendingOf(climb), climb.next?.totalUsdPerHour]).toEqual([600, 2, 5]);
  });
});

/** Rungs of one, two and four accelerators that cost the same, where only accelerators have a cap. */
const one = rung('l4/1x1-tp1-pp1/OnDemand', 1);
const asked = { ...rung('l4/1x1-tp1-pp1/OnDemand', 1, 13), name: 'l4/1x1-tp1-pp1/OnDemand' };
const two = rung('l4/2x1-tp1-pp2/OnDemand', 1);
const four = rung('l4/1x4-tp4-pp1/OnDemand', 1);

const accelerators: readonly [string, Row][] = [
  [
    'nothing is granted yet, so that nothing is asked and the accelerators are wanted',
    {
      rungs: [four],
      share: share(0, 6),
      asked: [],
      wanted: 4,
      waits:
        'Waiting until InferenceCluster "europe" grants 4 accelerators: the other replicas of namespace "chat" hold 6 accelerators of 10 accelerators',
    },
  ],
  ['it is granted', { rungs: [four], share: share(4, 6), asked: [four.name], wanted: 4 }],
  [
    'the larger shape has no room and the smaller one has',
    { rungs: [four, one], share: share(1, 8), asked: [one.name], wanted: 1 },
  ],
  [
    'patience is over, and a gang of two is wanted beside',
    { rungs: [asked, two], share: share(1), asked: [one.name], wanted: 3 },
  ],
  ['S1 the ledger has forgotten its grant', { rungs: [asked], share: share(0, 9), asked: [one.name], wanted: 1 }],
];

describe('L3 climbWithinShare where accelerators have a cap and', () => {
  test.each(accelerators)('%s', (_name, { rungs, share: room, wanted, waits, ...row }) => {
    const shares = { accelerators: room };
    const shared = climbWithinShare(question(rungs), shares);
    const names = shared.climb.decisions
      .filter((decision) => decision.wanted === 'Asked')
      .map((step) => step.rung.name);
    expect({
      asked: names,
      wanted: wantedOf(shared).accelerators,
      waits: grantCondition(shared, shares)?.message,
    }).toEqual({
      asked: row.asked,
      wanted,
      waits,
    });
    expect(describeWanted(shared, shares).wantedAccelerators).toBe(wanted);
    expect(Object.keys(describeWanted(shared, { usdPerHour: room }))).toEqual(['wantedUsdPerHour']);
  });
});

/** What the class l4 leaves, where only it has a cap. */
const ofL4 = (granted: number, others = 0) => ({
  byClass: { l4: { accelerators: { ...share(granted, others), owner: 'InferenceClass "l4"' } } },
});
const l40s = rung('l40s/1x1-tp1-pp1/OnDemand', 2);

const classes: readonly [string, readonly RungView[], ReturnType<typeof ofL4>, readonly string[], number, string?][] = [
  [
    'has granted nothing yet and has room, so that the next class is not asked in its place',
    [four, l40s],
    ofL4(0, 6),
    [],
    4,
    'Waiting until InferenceClass "l4" grants 4 accelerators: the other replicas of namespace "chat" hold 6 accelerators of 10 accelerators',
  ],
  ['has granted it', [four, l40s], ofL4(4, 6), [four.name], 4],
  [
    'has granted nothing, and no other class is allowed',
    [four],
    ofL4(0, 6),
    [],
    4,
    'Waiting until InferenceClass "l4" grants 4 accelerators: the other replicas of namespace "chat" hold 6 accelerators of 10 accelerators',
  ],
  ['has no room, so that it wants nothing of it', [four, l40s], ofL4(0, 7), [l40s.name], 0],
  ['S1 has forgotten its grant', [asked], ofL4(0, 9), [asked.name], 1],
];
test.each(classes)('L3 climbWithinShare where a class with a cap %s', (_name, rungs, shares, names, wanted, waits) => {
  const shared = climbWithinShare(question(rungs), shares);
  expect(shared.climb.decisions.filter((step) => step.wanted === 'Asked').map((step) => step.rung.name)).toEqual(names);
  expect(describeWanted(shared, shares)).toMatchObject({ byClass: [{ class: 'l4', wantedAccelerators: wanted }] });
  expect(grantCondition(shared, shares)?.message).toBe(waits);
});

test('L3 S1 climbWithinShare asks nothing above what a class granted, and parks nothing that was asked', () => {
  const someRung = fc.record({
    name: fc.constantFrom('l4', 'l40s'),
    size: fc.constantFrom(1, 2, 4),
    minutes: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(someRung, { minLength: 1, maxLength: 5 }), fc.nat(8), fc.nat(8), (parts, granted, others) => {
      const rungs = parts.map(({ name, size, minutes }, index) =>
        rung(`${name}/1x${size}-tp${size}-pp1/${index}`, size, minutes),
      );
      const spent = amountsOf(
        ofClass(
          rungs.filter(({ groups }) => groups.length > 0),
          'l4',
        ),
      ).accelerators;
      const { decisions } = climbWithinShare(question(rungs), ofL4(granted, others)).climb;
      const now = decisions.filter((step) => step.wanted === 'Asked').map((step) => step.rung);
      expect(amountsOf(ofClass(now, 'l4')).accelerators).toBeLessThanOrEqual(Math.max(spent, granted));
    }),
  );
});
