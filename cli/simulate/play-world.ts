import { type Cloud, createCloud } from './cloud/cloud.ts';
import type { Instance } from './cloud/fleet.ts';
import type { Player, Policy, PolicyName } from './policies/policy.ts';
import type { World } from './worlds/world.ts';

/** What became of one world under one policy. */
export interface Outcome {
  readonly policy: PolicyName;
  readonly seed: number;
  /** Minute in which the engine first answered; undefined when it never did. */
  readonly servedAt?: number;
  /** Instances that the policy knew it had and ended while nothing else served. */
  readonly lost: number;
  /** Instances that it gave up before it could see them: they were booting. */
  readonly givenUpBooting: number;
  /** Minutes in which what ran and was asked for together was above the budget. */
  readonly breachMinutes: number;
  readonly usdBeyondNeed: number;
  readonly createAtZeroMinutes?: number;
  /** Minutes without service after it had served once. */
  readonly outageMinutes: number;
}

/** Prices are rounded to hundredths of a cent; sums of them may differ by less. */
const rounding = 1e-6;

/** What is counted while a world is played. */
interface Tally {
  servedAt?: number;
  wholeAt?: number;
  lost: number;
  givenUpBooting: number;
  breachMinutes: number;
  outageMinutes: number;
  /** Instances that once served, with the minute from which all of their replica had been launched. */
  readonly needed: Map<Instance, number>;
  readonly judged: Set<Instance>;
}

/** Plays one world, minute by minute, until it is served and has settled or its time is over. */
export async function playWorld(world: World, policy: Policy): Promise<Outcome> {
  const cloud = createCloud(world);
  const player = await policy.start(world, cloud);
  const tally: Tally = {
    lost: 0,
    givenUpBooting: 0,
    breachMinutes: 0,
    outageMinutes: 0,
    needed: new Map(),
    judged: new Set(),
  };
  let minute = 0;
  const isOver = () => tally.servedAt !== undefined && minute > tally.servedAt + world.afterMinutes;
  for (; minute < world.horizonMinutes && !isOver(); minute += 1) {
    cloud.tick(minute);
    await player.step(minute);
    look({ world, cloud, player, tally, minute });
  }
  return toOutcome(tally, { policy, world, cloud, player, end: minute });
}

interface Look {
  readonly world: World;
  readonly cloud: Cloud;
  readonly player: Player;
  readonly tally: Tally;
  readonly minute: number;
}

function look({ world, cloud, player, tally, minute }: Look): void {
  const replica = player.replica(minute);
  const serving = isServing({ world, player, replica, tally, minute });
  const serves = serving && replica !== undefined ? replica : [];
  if (serving) tally.servedAt ??= minute;
  else if (tally.servedAt !== undefined) tally.outageMinutes += 1;
  const launched = Math.max(...serves.map(({ launchedAt }) => launchedAt));
  for (const instance of serves) tally.needed.set(instance, tally.needed.get(instance) ?? launched);
  for (const instance of cloud.fleet.all) judgeEnding(instance, serving, tally);
  if (cloud.exposure() > (world.claim.budget ?? Number.POSITIVE_INFINITY) + rounding) tally.breachMinutes += 1;
}

function isServing({
  world,
  player,
  replica,
  tally,
  minute,
}: Omit<Look, 'cloud'> & { readonly replica: readonly Instance[] | undefined }): boolean {
  if (player.serving !== undefined) return player.serving(minute);
  if (replica === undefined) delete tally.wholeAt;
  else tally.wholeAt ??= minute;
  return tally.wholeAt !== undefined && minute >= tally.wholeAt + world.loadMinutes;
}

/** Whether an instance that a policy ended was a loss: it was not, while another replica served. */
function judgeEnding(instance: Instance, serving: boolean, tally: Tally): void {
  const { ended } = instance;
  if (ended === undefined || tally.judged.has(instance)) return;
  tally.judged.add(instance);
  if (ended.by === 'Cloud' || serving) return;
  if (ended.known) tally.lost += 1;
  else tally.givenUpBooting += 1;
}

interface Played {
  readonly policy: Policy;
  readonly world: World;
  readonly cloud: Cloud;
  readonly player: Player;
  readonly end: number;
}

function toOutcome(tally: Tally, { policy, world, cloud, player, end }: Played): Outcome {
  const { servedAt, lost, givenUpBooting, breachMinutes, outageMinutes } = tally;
  const createAtZeroMinutes = player.createAtZeroMinutes?.();
  return {
    policy: policy.name,
    seed: world.seed,
    ...(servedAt === undefined ? {} : { servedAt }),
    lost,
    givenUpBooting,
    breachMinutes,
    outageMinutes,
    usdBeyondNeed: usdBeyondNeed(cloud.fleet.all, tally.needed, end),
    ...(createAtZeroMinutes === undefined ? {} : { createAtZeroMinutes }),
  };
}

/** Dollars for instances that never served, and for those that did until the last of their replica was launched. */
function usdBeyondNeed(all: readonly Instance[], needed: ReadonlyMap<Instance, number>, end: number): number {
  return all.reduce((sum, instance) => {
    const until = Math.min(instance.ended?.at ?? end, needed.get(instance) ?? end);
    return sum + (Math.max(0, until - instance.launchedAt) / 60) * instance.usdPerHour;
  }, 0);
}
