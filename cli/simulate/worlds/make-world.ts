import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { UnreadableInput } from '../../unreadable.ts';
import { poolsOf } from '../policies/policy.ts';
import type { ReadScenario } from '../read-scenario.ts';
import type { Scenario } from '../scenario.ts';
import { type Capacity, type Grants, poolName } from './capacity.ts';
import { type DrawnPool, drawCapacity } from './draw-capacity.ts';
import { createRandom, pick } from './random.ts';
import { readClaim } from './read-claim.ts';
import type { World, WorldClaim } from './world.ts';

/** Makes worlds of a scenario: everything that happens, before any policy acts. */
export interface WorldMaker {
  /** Seed of the first world. */
  readonly firstSeed: number;
  /** Whether each seed is another world. */
  readonly isDrawn: boolean;
  make(seed: number): World;
}

export function createWorldMaker({ scenario, objects }: ReadScenario): WorldMaker {
  const { draw, deployment } = scenario;
  const names = draw?.deployments ?? (deployment === undefined ? [] : [deployment]);
  const claims = new Map(names.map((name) => [name, readClaim(objects, name)]));
  const claimOf = (seed: number): WorldClaim => {
    const name = pick(createRandom(seed, 'claim'), names);
    const claim = claims.get(name);
    if (claim === undefined) throw new Error(`No claim was read for "${name}"`);
    return claim;
  };
  return {
    firstSeed: draw?.firstSeed ?? 1,
    isDrawn: draw !== undefined,
    make: (seed) => makeWorld({ scenario, seed, claim: claimOf(seed), objects }),
  };
}

interface WorldParts {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly claim: WorldClaim;
  readonly objects: readonly KubernetesObject[];
}

function makeWorld({ scenario, seed, claim }: WorldParts): World {
  const { cloud, accidents, horizonMinutes, afterMinutes, draw } = scenario;
  const { bootMinutes, loadMinutes, pollMinutes, ...groupTimes } = cloud;
  const types = claim.rungs.flatMap(({ nodeTypes }) => nodeTypes);
  const hangs = draw === undefined ? groupTimes.raiseHangs : createRandom(seed, 'hangs')() < draw.hangingShare;
  return {
    seed,
    claim,
    capacity: draw === undefined ? writtenCapacity(scenario, claim) : drawnCapacity(scenario, { seed, claim }),
    usdPerHour: new Map(types.map(({ instanceType, usdPerHour }) => [instanceType, usdPerHour ?? 0])),
    bootMinutes,
    loadMinutes,
    pollMinutes,
    groupTimes: { ...groupTimes, raiseHangs: hangs },
    horizonMinutes,
    afterMinutes,
    ...accidents,
  };
}

function drawnCapacity(
  { draw, horizonMinutes }: Scenario,
  { seed, claim }: Pick<WorldParts, 'seed' | 'claim'>,
): Capacity {
  const pools = claim.rungs.flatMap((rung) =>
    poolsOf(rung, claim.zones).map((pool): DrawnPool => {
      const family = pool.instanceType.split('.')[0] ?? pool.instanceType;
      return { ...pool, family, accelerators: rung.shape.acceleratorsPerNode };
    }),
  );
  const each = [...new Map(pools.map((pool) => [poolName(pool), pool])).values()];
  const { least, most } = draw?.plenty ?? { least: 1, most: 1 };
  const plenty = least + (most - least) * createRandom(seed, 'plenty')();
  return drawCapacity({ seed, pools: each, minutes: horizonMinutes, plenty });
}

function writtenCapacity({ capacity = [] }: Scenario, { rungs, zones }: WorldClaim): Capacity {
  const known = new Set(rungs.flatMap(({ nodeTypes }) => nodeTypes.map(({ instanceType }) => instanceType)));
  const written = new Map<string, Grants[]>();
  for (const row of capacity) {
    const { instanceType, zones: only = zones, market, grants } = row;
    if (!known.has(instanceType))
      throw new UnreadableInput(
        `Cannot simulate: capacity names instance type "${instanceType}", and the ladder has ${[...known].sort().join(', ')}; correct the name`,
      );
    const unknown = only.filter((zone) => !zones.includes(zone));
    if (unknown.length > 0)
      throw new UnreadableInput(
        `Cannot simulate: capacity names zone "${unknown.join('", "')}", and the cluster has ${zones.join(', ')}; correct the name`,
      );
    for (const zone of only) {
      const name = poolName({ instanceType, zone, market });
      const spans = grants.map(({ from, until = Number.POSITIVE_INFINITY, most }) => ({ from, until, most }));
      written.set(name, [...(written.get(name) ?? []), ...spans]);
    }
  }
  return written;
}
