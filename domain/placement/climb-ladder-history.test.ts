/**
 * Plays whole histories of a ladder: zones that grant and refuse over time, groups that take minutes to be created,
 * instances that boot for two to four minutes, groups that EKS gives up on, nodes that die, and a clock that steps.
 * Each minute the ladder decides from what it can see, and its decisions are applied as the placement step applies them.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { annotation } from '../kubernetes/label.ts';
import { type Climb, climbLadder, type LadderQuestion } from './climb-ladder.ts';
import { raiseMemory, raiseMinutes } from './raise-memory.ts';
import { askedAt, joinedNodes, type RungView, usableNodes } from './rung.ts';

/** What the world will do with one rung. All times are minutes of the history. */
interface RungPlan {
  readonly nodes: number;
  readonly price: number;
  /** Minutes in which the provider grants an instance that is asked for. */
  readonly grants: readonly { readonly from: number; readonly until: number }[];
  readonly bootMinutes: number;
  /** By how many minutes each further node of a gang comes later. */
  readonly lagMinutes: number;
  readonly createMinutes: number;
  /** When EKS gives up on the group: it then keeps its size whatever is asked, and its instances still come. */
  readonly failsAt?: number;
  /** A raise is reported only once it is granted, or an hour later. */
  readonly hangs?: boolean;
  /** When one of its nodes dies. */
  readonly diesAt?: number;
}

interface World {
  readonly rungs: readonly RungPlan[];
  readonly patienceMinutes: number;
  readonly hedge: number;
  readonly budget: number;
  readonly quota: number;
  /** By how many minutes the clock of the function jumps, and when. */
  readonly clockSteps: readonly { readonly at: number; readonly by: number }[];
  readonly minutes: number;
}

/** One node group as it really is, seen or not. */
interface Group {
  askedAt?: string;
  parkedAt?: string;
  raisedAt?: string;
  /** Minute in which the provider began to raise it. */
  raising?: number;
  specSize: 0 | 1;
  /** Size at the provider, one minute behind what was asked for. */
  realSize: 0 | 1;
  reported: { size: number; status: string } | undefined;
  createdAt: number;
  joinsAt: number | undefined;
}

interface Minute {
  readonly minute: number;
  readonly question: LadderQuestion;
  readonly climb: Climb;
  /** Price and number of the rungs that may yet deliver, after the decisions were applied. */
  readonly spent: number;
  readonly open: number;
  readonly groupsMade: number;
}

const start = Date.parse('2026-12-01T00:00:00Z');
const nameOf = (index: number) => `rung-${index}`;

function play(world: World): readonly Minute[] {
  const groups = world.rungs.map((): Group[] => []);
  const minutes: Minute[] = [];
  let live: { readonly rung: number; readonly since: number } | undefined;
  for (let minute = 0; minute < world.minutes; minute += 1) {
    world.rungs.forEach((plan, index) => {
      for (const [node, group] of (groups[index] ?? []).entries()) advance(group, plan, node, minute);
    });
    const question = look(world, groups, live, minute);
    const climb = climbLadder(question);
    const made = apply(world, groups, climb, question.now, minute);
    live = followWinner(live, climb, minute);
    const open = world.rungs.filter((_plan, index) => (groups[index] ?? []).some((group) => mayDeliver(group)));
    const spent = open.reduce((sum, plan) => sum + plan.price, 0);
    minutes.push({ minute, question, climb, spent, open: open.length, groupsMade: made });
  }
  return minutes;
}

/** One minute at the provider: creation ends, a size is taken over, an instance is granted, a node dies. */
function advance(group: Group, plan: RungPlan, node: number, minute: number): void {
  const gaveUp = plan.failsAt !== undefined && minute >= plan.failsAt;
  const created = minute >= group.createdAt + plan.createMinutes;
  if (group.joinsAt !== undefined || minute >= (group.raising ?? 0) + 60) delete group.raising;
  // While a raise hangs, the provider neither looks nor takes another size over.
  const isHanging = plan.hangs === true && group.raising !== undefined;
  if ((group.reported !== undefined || created) && !isHanging) {
    group.reported = { size: group.realSize, status: gaveUp ? 'CREATE_FAILED' : 'ACTIVE' };
  }
  if (created && !gaveUp && !isHanging) {
    if (group.specSize > group.realSize) group.raising = minute;
    group.realSize = group.specSize;
  }
  if (minute === plan.diesAt || group.realSize === 0) group.joinsAt = undefined;
  const granted = plan.grants.some(({ from, until }) => minute >= from && minute < until);
  if (group.realSize === 1 && group.joinsAt === undefined && granted) {
    group.joinsAt = minute + plan.bootMinutes + node * plan.lagMinutes;
  }
}

function mayDeliver(group: Group): boolean {
  return group.askedAt !== undefined || group.specSize > 0 || group.realSize > 0 || group.joinsAt !== undefined;
}

/** What the placement step can see: its own objects, the size that the provider last reported, and joined nodes. */
function look(
  world: World,
  groups: readonly (readonly Group[])[],
  live: { readonly rung: number; readonly since: number } | undefined,
  minute: number,
): LadderQuestion {
  const rungs = world.rungs.map((plan, index): RungView => {
    const views = (groups[index] ?? []).map((group, node) => {
      const joined = group.joinsAt !== undefined && minute >= group.joinsAt ? 1 : 0;
      const usable = group.joinsAt !== undefined && minute > group.joinsAt ? 1 : 0;
      const { askedAt: asked, parkedAt: parked, raisedAt, reported, specSize } = group;
      return {
        key: `pool-${index}-${node}`,
        name: `${index}-${node}`,
        specSize,
        joined,
        usable,
        ...(reported === undefined ? {} : { observedSize: reported.size, providerStatus: reported.status }),
        ...(asked === undefined ? {} : { askedAt: asked }),
        ...(parked === undefined ? {} : { parkedAt: parked }),
        ...(raisedAt === undefined || raisedAt === '' ? {} : { raisedAt }),
      };
    });
    return { name: nameOf(index), nodes: plan.nodes, usdPerHour: plan.price, groups: views, allowed: true };
  });
  const step = world.clockSteps.filter(({ at }) => minute >= at).reduce((sum, { by }) => sum + by, 0);
  const { patienceMinutes, hedge, budget, quota } = world;
  const made = groups.flat().length;
  const liveRung = live === undefined ? undefined : rungs[live.rung];
  const hasNodes = liveRung !== undefined && usableNodes(liveRung) >= liveRung.nodes;
  return {
    rungs,
    policy: { patienceMinutes, hedge, usdPerHour: budget, nodeGroupsLeft: quota - made },
    serving: live !== undefined && hasNodes && minute >= live.since + 5,
    now: new Date(start + (minute + step) * 60_000),
    ...(liveRung === undefined ? {} : { liveRung: liveRung.name }),
  };
}

/** As the placement step does it: a group begins at zero, is raised once it is created, and is parked with its moment. */
function apply(world: World, groups: Group[][], climb: Climb, now: Date, minute: number): number {
  let made = 0;
  climb.decisions.forEach(({ rung, wanted }, index) => {
    const own = groups[index] ?? [];
    own.forEach((group, node) => {
      const view = rung.groups[node];
      const grows = wanted === 'Asked' && (group.specSize === 1 || group.reported?.status === 'ACTIVE');
      const memory = view === undefined ? {} : raiseMemory(view, grows ? 1 : 0, now);
      group.raisedAt = memory[annotation.raisedAt] ?? group.raisedAt ?? '';
    });
    if (wanted === 'Asked' && own.length === 0) {
      for (let node = 0; node < (world.rungs[index]?.nodes ?? 0); node += 1) {
        own.push({
          specSize: 0,
          realSize: 0,
          reported: undefined,
          createdAt: minute,
          joinsAt: undefined,
          askedAt: now.toISOString(),
        });
        made += 1;
      }
    } else if (wanted === 'Asked') {
      for (const group of own) {
        group.askedAt ??= now.toISOString();
        if (group.reported?.status === 'ACTIVE') group.specSize = 1;
      }
    } else if (wanted === 'Parked') {
      for (const group of own) {
        group.specSize = 0;
        delete group.askedAt;
        group.parkedAt = now.toISOString();
      }
    }
  });
  return made;
}

/** The workload is rendered for the winner once all its nodes are usable, and stays on its rung until another wins. */
function followWinner(
  live: { readonly rung: number; readonly since: number } | undefined,
  { winner }: Climb,
  minute: number,
): { readonly rung: number; readonly since: number } | undefined {
  if (winner === undefined || usableNodes(winner) < winner.nodes) return live;
  const rung = Number(winner.name.replace('rung-', ''));
  return live?.rung === rung ? live : { rung, since: minute };
}

const someGrants = fc.array(
  fc
    .record({ from: fc.nat({ max: 150 }), length: fc.integer({ min: 1, max: 60 }) })
    .map(({ from, length }) => ({ from, until: from + length })),
  { maxLength: 3 },
);
const someRung = fc.record(
  {
    nodes: fc.constantFrom(1, 1, 1, 2),
    price: fc.integer({ min: 1, max: 5 }),
    grants: someGrants,
    bootMinutes: fc.integer({ min: 2, max: 4 }),
    lagMinutes: fc.nat({ max: 30 }),
    createMinutes: fc.integer({ min: 1, max: 3 }),
    hangs: fc.boolean(),
    failsAt: fc.integer({ min: 10, max: 120 }),
    diesAt: fc.integer({ min: 10, max: 180 }),
  },
  { requiredKeys: ['nodes', 'price', 'grants', 'bootMinutes', 'lagMinutes', 'createMinutes'] },
);
const someWorld = fc
  .record({
    rungs: fc.array(someRung, { minLength: 1, maxLength: 4 }),
    patienceMinutes: fc.constantFrom(12, 12, 15, 30),
    hedge: fc.integer({ min: 1, max: 3 }),
    spare: fc.integer({ min: 0, max: 8 }),
    quota: fc.integer({ min: 0, max: 8 }),
    clockSteps: fc.array(fc.record({ at: fc.nat({ max: 200 }), by: fc.integer({ min: -40, max: 40 }) }), {
      maxLength: 2,
    }),
  })
  .map(({ spare, ...world }): World => {
    // A rung that costs more than the budget alone is refused before it comes to the ladder.
    const budget = Math.max(...world.rungs.map((rung) => rung.price)) + spare;
    return { ...world, rungs: world.rungs.map(hangingWithin(world.clockSteps)), budget, minutes: 150 };
  });

/**
 * A raise is forgotten 75 minutes after it by the clock, and hangs 60: a clock that leaps by more than what lies between
 * would forget one that still hangs, so such a world has none. That much time passes unseen in no other way.
 */
function hangingWithin(clockSteps: World['clockSteps']): (rung: RungPlan) => RungPlan {
  const leap = clockSteps.reduce((sum, { by }) => sum + Math.max(0, by), 0);
  return (rung) => (leap < raiseMinutes - 60 ? rung : { ...rung, hangs: false });
}

/** Faults of one minute of a history, in words; none when the rule holds. */
type Rule = (minute: Minute, world: World) => readonly string[];

function assertAlways(rule: Rule): void {
  fc.assert(
    fc.property(someWorld, (world) => {
      expect(
        play(world).flatMap((minute) => rule(minute, world).map((fault) => `${minute.minute} min: ${fault}`)),
      ).toEqual([]);
    }),
    { numRuns: 40 },
  );
}

function parkedRungs({ climb }: Minute): readonly RungView[] {
  return climb.decisions.filter(({ wanted }) => wanted === 'Parked').map(({ rung }) => rung);
}

/** The second rung wins in the minute in which the node of the first joins, too late to be usable. */
const lateWorld: World = {
  rungs: [15, 12].map((from) => ({
    nodes: 1,
    price: 1,
    grants: [{ from, until: 200 }],
    bootMinutes: 2,
    lagMinutes: 0,
    createMinutes: 1,
  })),
  patienceMinutes: 12,
  hedge: 2,
  budget: 2,
  quota: 2,
  clockSteps: [],
  minutes: 60,
};

test('a history reaches every state that the rules speak of', () => {
  const wanted = ['Asked Arriving', 'Asked Asked', 'Asked Joined', 'Asked Serving', 'Asked Usable', 'Parked Asked'];
  const others = ['Parked Usable', 'Untouched Draining', 'Untouched Free', 'Untouched Parked'];
  const worlds = [lateWorld, ...fc.sample(someWorld, { numRuns: 100, seed: 1 })];
  const pairs = worlds.flatMap(play).flatMap(({ climb }) => climb.decisions.map((one) => `${one.wanted} ${one.state}`));
  expect([...wanted, ...others].filter((pair) => !pairs.includes(pair))).toEqual([]);
});

test('L3 rule 3: what is asked never costs more than the budget, even if everything arrives', () => {
  assertAlways(({ spent }, { budget }) => (spent > budget ? [`${spent} of ${budget}`] : []));
});

test('L13 rule 2: never more rungs than hedge may yet deliver', () => {
  assertAlways(({ open }, { hedge }) => (open > hedge ? [`${open} of ${hedge}`] : []));
});

test('L12 L13 rule 2: a rung with a node is parked only while another one serves', () => {
  assertAlways((minute) => {
    const { serving, liveRung } = minute.question;
    const held = parkedRungs(minute).filter((rung) => joinedNodes(rung) > 0);
    return held.filter((rung) => !serving || rung.name === liveRung).map(({ name }) => name);
  });
});

test('L12 rule 5: a rung that serves is never parked, and stays the winner', () => {
  assertAlways(({ climb, question }) => {
    if (!question.serving) return [];
    const live = climb.decisions.find(({ rung }) => rung.name === question.liveRung);
    return live?.wanted === 'Asked' && climb.winner === live.rung ? [] : [`${question.liveRung} is ${live?.wanted}`];
  });
});

test('S3 the same state gives the same decision, and the question is left as it was', () => {
  assertAlways(({ climb, question }) => {
    const before = JSON.stringify(question);
    const again = JSON.stringify(climbLadder(question));
    return again === JSON.stringify(climb) && before === JSON.stringify(question) ? [] : [again];
  });
});

test('the quota of node groups is never passed', () => {
  assertAlways(({ question, groupsMade }) => {
    const left = Math.max(0, question.policy.nodeGroupsLeft);
    return groupsMade > left ? [`${groupsMade} of ${left}`] : [];
  });
});

test('L13 without a winner at most one rung is asked and at most one is parked for it in a minute', () => {
  assertAlways((minute) => {
    const { decisions, winner } = minute.climb;
    const asked = decisions.filter(({ rung, wanted }) => wanted === 'Asked' && askedAt(rung) === undefined);
    const parked = parkedRungs(minute);
    return winner === undefined && (asked.length > 1 || parked.length > 1) ? [`${asked.length}, ${parked.length}`] : [];
  });
});

test('L13 rule 2: without a winner no rung is parked while the one before it still drains and can drain', () => {
  assertAlways((minute) => {
    const { decisions, winner } = minute.climb;
    const canDrain = ({ groups }: RungView) =>
      groups.every(({ providerStatus, raisedAt }) => providerStatus !== 'CREATE_FAILED' && raisedAt === undefined);
    const draining = decisions
      .filter(({ rung, state }) => state === 'Draining' && canDrain(rung))
      .map(({ rung }) => rung.name);
    const parked = parkedRungs(minute).map(({ name }) => name);
    return winner === undefined && draining.length > 0 && parked.length > 0 ? [`${parked} beside ${draining}`] : [];
  });
});

test('S4 the wake-up is a whole number of seconds ahead, or there is none', () => {
  assertAlways(({ climb: { wakeInSeconds = 1 } }) =>
    Number.isInteger(wakeInSeconds) && wakeInSeconds > 0 ? [] : [String(wakeInSeconds)],
  );
});

test('S4 the same state gives the same decision until the wake-up, and for good where there is none', () => {
  assertAlways(({ climb, question }) => {
    const { wakeInSeconds = 1_000_000 } = climb;
    const decided = (at: Date) =>
      climbLadder({ ...question, now: at }).decisions.map(({ rung, wanted, state }) => [rung.name, wanted, state]);
    const before = JSON.stringify(decided(question.now));
    const lasts = [1, Math.floor(wakeInSeconds / 2), wakeInSeconds - 1].filter((seconds) => seconds >= 0);
    return lasts.flatMap((seconds) => {
      const after = JSON.stringify(decided(new Date(question.now.getTime() + seconds * 1000)));
      return after === before ? [] : [`${seconds} s later: ${after}`];
    });
  });
});

test('S4 what time brought about is not undone when the clock steps back', () => {
  fc.assert(
    fc.property(someWorld, fc.integer({ min: 1, max: 120 }), (world, step) => {
      const history = play({ ...world, clockSteps: [] });
      const undone = history.slice(1).flatMap(({ question, minute }, index) => {
        const taken = history[index]?.climb;
        const { decisions } = climbLadder({ ...question, now: new Date(question.now.getTime() - step * 60_000) });
        return decisions.flatMap(({ rung, wanted }, at) => {
          const before = taken?.decisions[at];
          const wasAsked = before?.wanted === 'Asked' && askedAt(before.rung) === undefined;
          const isUndone = wasAsked ? wanted === 'Parked' : before?.wanted === 'Parked' && wanted === 'Asked';
          // A node that came in this very minute is news, not time.
          return isUndone && joinedNodes(rung) === 0 ? [`${minute} min: ${rung.name} is ${wanted}`] : [];
        });
      });
      expect(undone).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

/** A world in which one rung grants for good from some minute on, and every other one only ever refuses. */
const someGrantingWorld = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    patienceMinutes: fc.constantFrom(12, 15, 20),
    hedge: fc.integer({ min: 1, max: 3 }),
    onlyOneAffordable: fc.boolean(),
    from: fc.nat({ max: 120 }),
    granting: fc.nat({ max: 3 }),
    bootMinutes: fc.integer({ min: 2, max: 4 }),
    createMinutes: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ count, onlyOneAffordable, from, granting, bootMinutes, createMinutes, ...policy }) => {
    const rungs = Array.from({ length: count }, (_unused, index) => ({
      nodes: 1,
      price: 1,
      grants: index === granting % count ? [{ from, until: Number.POSITIVE_INFINITY }] : [],
      bootMinutes,
      lagMinutes: 0,
      createMinutes,
    }));
    const world: World = {
      ...policy,
      rungs,
      budget: onlyOneAffordable ? 1 : count,
      quota: count,
      clockSteps: [],
      minutes: 250,
    };
    return { world, from };
  });

/** Minutes in which a parked rung is seen at zero, or a new size is taken over and reported. */
const settleMinutes = 3;

/** When some rung was first usable; undefined when none ever was. */
function firstUsable(world: World): number | undefined {
  return play(world).find(({ question }) => question.rungs.some((rung) => usableNodes(rung) >= rung.nodes))?.minute;
}

test('L7 L13 some rung is usable within a round of patience and a boot when one grants for good, with any hedge and budget', () => {
  fc.assert(
    fc.property(someGrantingWorld, ({ world, from }) => {
      const [first] = world.rungs;
      const round = world.rungs.length * (world.patienceMinutes + settleMinutes);
      const bound = from + round + (first?.createMinutes ?? 0) + (first?.bootMinutes ?? 0) + settleMinutes;
      expect(firstUsable(world) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(bound);
    }),
  );
});

test('L13 some rung is usable when one grants for good and patience is shorter than an instance takes to boot', () => {
  const impatient = someGrantingWorld.map(({ world }) => ({ ...world, patienceMinutes: 1 }));
  fc.assert(
    fc.property(impatient, (world) => {
      expect(firstUsable(world)).toBeDefined();
    }),
  );
});
