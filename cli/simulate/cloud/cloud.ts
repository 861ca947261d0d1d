import type { CapacityPool } from '../worlds/capacity.ts';
import type { NodeLoss, World } from '../worlds/world.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createNodeGroups, type NodeGroups } from './node-groups.ts';

/** One virtual cloud, for one policy in one world. */
export interface Cloud {
  readonly fleet: Fleet;
  readonly groups: NodeGroups;
  tick(minute: number): void;
  /** What runs and what is asked for would cost together, at the dearest pool of each request, in dollars per hour. */
  exposure(): number;
}

export function createCloud(world: World): Cloud {
  const fleet = createFleet(world);
  const groups = createNodeGroups(fleet, world.groupTimes);
  const dearest = (pools: readonly CapacityPool[]) =>
    Math.max(0, ...pools.map(({ instanceType }) => world.usdPerHour.get(instanceType) ?? 0));
  return {
    fleet,
    groups,
    tick: (minute) => {
      for (const loss of world.nodeLosses.filter(({ atMinute }) => atMinute === minute)) loseNodes(fleet, loss);
      fleet.tick(minute);
      groups.tick(minute);
    },
    exposure: () => {
      const running = fleet.all.filter(({ ended }) => ended === undefined);
      const asked = groups.outstanding().map(({ pools, missing }) => missing * dearest(pools));
      return [...running.map(({ usdPerHour }) => usdPerHour), ...asked].reduce((sum, usd) => sum + usd, 0);
    },
  };
}

function loseNodes(fleet: Fleet, { atMinute, zone }: NodeLoss): void {
  const hit = fleet.all.filter((instance) => zone === undefined || instance.zone === zone);
  for (const instance of hit) fleet.end(instance, { at: atMinute, by: 'Cloud', decidedAt: atMinute, known: false });
}
