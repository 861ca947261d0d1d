/**
 * The instances of a virtual cloud. A launch is granted or refused at once by the capacity pool it is asked of; who asks
 * an Auto Scaling group is never told. Spot instances end two minutes after their pool stops granting.
 */
import { type Capacity, type CapacityPool, grantsIn, poolName } from '../worlds/capacity.ts';
import { createRandom, wholeBetween } from '../worlds/random.ts';
import type { Window } from '../worlds/world.ts';

export interface Instance extends CapacityPool {
  readonly id: string;
  /** The node group, or whatever else its launcher calls it. */
  readonly owner: string;
  readonly usdPerHour: number;
  readonly launchedAt: number;
  /** When its node joins the cluster. */
  readonly joinsAt: number;
  ended?: Ending;
}

export interface Ending {
  readonly at: number;
  /** Policy: whoever launched it. Cloud: a spot notice, or a node that died. */
  readonly by: 'Policy' | 'Cloud';
  /** When the policy wrote what led to it; it may have known less then. */
  readonly decidedAt: number;
  /** Whether the policy knew then that it had the instance. */
  readonly known: boolean;
}

export interface LaunchRequest {
  readonly owner: string;
  /** In the order in which they are tried. */
  readonly pools: readonly CapacityPool[];
}

export interface Fleet {
  readonly all: readonly Instance[];
  launch(request: LaunchRequest, minute: number): Instance | undefined;
  end(instance: Instance, ending: Ending): void;
  running(owner: string): readonly Instance[];
  tick(minute: number): void;
}

export interface FleetWorld {
  readonly seed: number;
  readonly capacity: Capacity;
  /** Minutes from a launch until the node has joined. */
  readonly bootMinutes: { readonly least: number; readonly most: number };
  readonly usdPerHour: ReadonlyMap<string, number>;
  /** No node joins in these minutes: it does at their end. */
  readonly blind: readonly Window[];
}

const spotNoticeMinutes = 2;

export function createFleet(world: FleetWorld): Fleet {
  const all: Instance[] = [];
  const launchesOf = (pool: CapacityPool) => all.filter((other) => poolName(other) === poolName(pool));
  const runningOf = (pool: CapacityPool) => launchesOf(pool).filter(({ ended }) => ended === undefined).length;
  const launch: Fleet['launch'] = ({ owner, pools }, minute) => {
    const pool = pools.find((candidate) => grantsIn(world.capacity, candidate, minute, runningOf(candidate)));
    if (pool === undefined) return undefined;
    // The first launch of a pool boots as long whichever policy asks for it and when, and so on.
    const random = createRandom(world.seed, 'boot', poolName(pool), launchesOf(pool).length);
    const booted = minute + wholeBetween(random, world.bootMinutes.least, world.bootMinutes.most);
    const instance: Instance = {
      ...pool,
      id: `i-${String(all.length).padStart(4, '0')}`,
      owner,
      usdPerHour: world.usdPerHour.get(pool.instanceType) ?? 0,
      launchedAt: minute,
      joinsAt: world.blind.find(({ from, until }) => booted >= from && booted < until)?.until ?? booted,
    };
    all.push(instance);
    return instance;
  };
  const tick = (minute: number) => {
    const interrupted = all.filter((instance) => isInterrupted(world.capacity, instance, minute));
    for (const instance of interrupted) instance.ended = { at: minute, by: 'Cloud', decidedAt: minute, known: false };
  };
  return {
    all,
    launch,
    tick,
    end: (instance, ending) => {
      instance.ended ??= ending;
    },
    running: (owner) => all.filter((instance) => instance.owner === owner && instance.ended === undefined),
  };
}

/** Tells whether the notice of a spot instance is over. */
function isInterrupted(capacity: Capacity, instance: Instance, minute: number): boolean {
  if (instance.ended !== undefined || instance.market !== 'Spot') return false;
  const noticedAt = minute - spotNoticeMinutes;
  return noticedAt >= instance.launchedAt && !grantsIn(capacity, instance, noticedAt);
}

/** Tells whether the node of an instance is in the cluster. */
export function hasJoined({ joinsAt, ended }: Instance, minute: number): boolean {
  return ended === undefined && minute >= joinsAt;
}
