/**
 * Draws when each capacity pool grants. A pool grants while its level, a number from 0 to 1, lies below the share of
 * time in which pools like it do. The level is drawn anew at random moments, so that spells have the length that was
 * measured; some of those moments are shared by one size in all zones, the others by one family in one zone, and pools
 * that take part in the same moment get the same level. So shares and spells are those of the traces exactly, and
 * pools are about as alike as measured (`draw-capacity.test.ts`).
 * Refused: pools that know nothing of each other. Then a ladder of many pools nearly always finds one.
 */
import type { Capacity, CapacityPool, Grants } from './capacity.ts';
import { poolName } from './capacity.ts';
import { createRandom, minutesToNext, pick, type Random } from './random.ts';
import statistics from './spot-trace-statistics.json' with { type: 'json' };

/** A pool with what decides how alike it is to others. */
export interface DrawnPool extends CapacityPool {
  /** The part of the instance type before the dot. */
  readonly family: string;
  readonly accelerators: number;
}

export interface DrawQuestion {
  readonly seed: number;
  readonly pools: readonly DrawnPool[];
  readonly minutes: number;
  /** Factor on the share of time in which each pool grants: 1 as measured, less is scarcer. */
  readonly plenty: number;
}

/** Share of the moments that one size has in common in all zones; the rest is of one family in one zone. */
const regionShare = 0.7;
/** Likelihood with which a pool takes part in a common moment; of slower ones less. */
const takesPart = 0.85;
/** Minutes before the start that are drawn too, so that a world begins anywhere within a spell. */
const warmUp = 2880;

/** How a pool behaves on average. */
interface Habit {
  readonly pool: DrawnPool;
  readonly share: number;
  /** New levels a minute. */
  readonly rate: number;
}

/** Draws what every pool grants in the minutes of a world. */
export function drawCapacity({ seed, pools, minutes, plenty }: DrawQuestion): Capacity {
  const habits = pools.map((pool) => drawHabit(seed, pool, plenty));
  const levels = new Map(habits.map(({ pool }) => [poolName(pool), [] as Level[]]));
  const regions = Map.groupBy(habits, ({ pool }) => `${pool.family}/${pool.accelerators}`);
  const zones = Map.groupBy(habits, ({ pool }) => `${pool.family}/${pool.zone}`);
  for (const [name, members] of regions)
    spreadMoments({ random: createRandom(seed, 'region', name), members, share: regionShare, minutes, levels });
  for (const [name, members] of zones)
    spreadMoments({ random: createRandom(seed, 'zone', name), members, share: 1 - regionShare, minutes, levels });
  return new Map(
    habits.map(({ pool, share }) => {
      const first = { at: -warmUp, level: createRandom(seed, 'first', poolName(pool))() };
      const own = [first, ...(levels.get(poolName(pool)) ?? [])].sort((left, right) => left.at - right.at);
      return [poolName(pool), toGrants(own, share, minutes)];
    }),
  );
}

/**
 * A family in one size is drawn the zones of one region at one time, since a region is scarce or not as a whole; each of
 * its zones one trace of them, which all types of that size share.
 */
function drawHabit(seed: number, pool: DrawnPool, plenty: number): Habit {
  const alike = statistics.traces.filter(({ accelerators }) => accelerators > 1 === pool.accelerators > 1);
  const groups = [...new Set(alike.map(({ group }) => group))];
  const group = pick(createRandom(seed, 'region', pool.family, pool.accelerators), groups);
  const zones = alike.filter((trace) => trace.group === group);
  const trace = pick(createRandom(seed, 'zone', pool.family, pool.accelerators, pool.zone), zones);
  // A spell of refusal ends at the first new level below the share: its mean is the mean time between levels by the share.
  const rate = 1 / (trace.meanDownHours * 60 * trace.availableShare);
  return { pool, share: Math.min(1, trace.availableShare * plenty), rate };
}

interface Level {
  readonly at: number;
  readonly level: number;
}

interface Moments {
  readonly random: Random;
  readonly members: readonly Habit[];
  readonly share: number;
  readonly minutes: number;
  readonly levels: ReadonlyMap<string, Level[]>;
}

/** Draws the moments that some pools have in common, and gives each that takes part its new level. */
function spreadMoments({ random, members, share, minutes, levels }: Moments): void {
  const fastest = Math.max(...members.map(({ rate }) => rate));
  const rate = (share * fastest) / takesPart;
  for (let at = -warmUp + minutesToNext(random, rate); at < minutes; at += minutesToNext(random, rate)) {
    const level = random();
    for (const { pool, rate: own } of members) {
      if (random() < (share * own) / rate) levels.get(poolName(pool))?.push({ at, level });
    }
  }
}

/** The minutes in which a level lies below the share, each spell once. */
function toGrants(levels: readonly Level[], share: number, minutes: number): readonly Grants[] {
  const grants: Grants[] = [];
  levels.forEach(({ at, level }, index) => {
    const from = Math.max(0, Math.round(at));
    const until = Math.min(minutes, Math.round(levels[index + 1]?.at ?? minutes));
    if (level >= share || until <= from) return;
    const last = grants.at(-1);
    if (last?.until === from) grants[grants.length - 1] = { from: last.from, until };
    else grants.push({ from, until });
  });
  return grants;
}
