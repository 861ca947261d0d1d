/**
 * SkyPilot-like: `resources.ordered` with `--retry-until-up`. One zone after another is tried with all nodes at once; a
 * refusal blocks that type in that zone for the rest of the launch; a gang that comes in part is torn down before the
 * next zone is tried. When everything is blocked the list is cleared after a gap of 30 seconds. Two tries a minute.
 * `num_nodes` of a task does not change, so candidates with another number of nodes take no part; the number of
 * accelerators may, since a task can read it.
 * Sources: https://docs.skypilot.co/en/stable/examples/auto-failover.html and `_RETRY_UNTIL_UP_INIT_GAP_SECONDS = 30`,
 * the blocklist and the teardown of a failed gang in sky/backends/cloud_vm_ray_backend.py of
 * https://github.com/skypilot-org/skypilot (read 2026-12-01).
 */
import type { Fleet } from '../cloud/fleet.ts';
import type { CapacityPool } from '../worlds/capacity.ts';
import { type Policy, poolsOf, wholeReplica } from './policy.ts';

const triesPerMinute = 2;
const gapTries = 1;
const owner = 'sky';

export const blocklistFailover: Policy = {
  name: 'blocklist-failover',
  start: ({ claim }, { fleet }) => {
    const [preferred] = claim.rungs;
    if (preferred === undefined) throw new Error('A world has at least one rung');
    const { nodes } = preferred.shape;
    const places = claim.rungs
      .filter(({ shape }) => shape.nodes === nodes)
      .flatMap((rung) => poolsOf(rung, claim.zones));
    let next = 0;
    return {
      step: (minute) => {
        for (let attempt = 0; attempt < triesPerMinute && fleet.running(owner).length < nodes; attempt += 1) {
          const place = places[next];
          if (place !== undefined) launchGang(fleet, place, { nodes, minute });
          next = next >= places.length + gapTries - 1 ? 0 : next + 1;
        }
      },
      replica: (minute) => wholeReplica(fleet.running(owner), nodes, minute),
    };
  },
};

/** All nodes in one zone; what came is ended when one is refused, and the launcher knows what it ends. */
function launchGang(
  fleet: Fleet,
  place: CapacityPool,
  { nodes, minute }: { readonly nodes: number; readonly minute: number },
): void {
  // What is left of a gang that lost a node is no cluster any more.
  endAll(fleet, minute);
  for (let node = 0; node < nodes; node += 1) {
    if (fleet.launch({ owner, pools: [place] }, minute) === undefined) {
      endAll(fleet, minute);
      return;
    }
  }
}

function endAll(fleet: Fleet, minute: number): void {
  for (const instance of fleet.running(owner))
    fleet.end(instance, { at: minute, by: 'Policy', decidedAt: minute, known: true });
}
