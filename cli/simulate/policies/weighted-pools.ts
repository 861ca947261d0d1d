/**
 * Karpenter-like: a NodePool for each candidate, by weight. A pending pod is given to the first pool with an offering
 * that is not known to be refused; one call of CreateFleet tries all its types in all zones; refused offerings count
 * as unavailable for three minutes, so that the next loop, 11 to 30 seconds later, takes the next pool. Two loops a minute.
 * The pod keeps its shape, as a provisioner cannot rewrite a workload: only candidates with as many nodes and as many
 * accelerators on each take part. Nodes of a gang are had one by one and kept; the second is asked of the pool of the
 * first, since one engine does not mix accelerators.
 * Sources: https://karpenter.sh/docs/concepts/nodepools/ (spec.weight) and https://karpenter.sh/docs/faq/; the cache
 * `UnavailableOfferingsTTL = 3m` in pkg/cache of https://github.com/aws/karpenter-provider-aws (read 2026-12-01).
 * Fairer than life: issue #2275 of kubernetes-sigs/karpenter, where a retry starves the lower weight, is not modelled.
 */
import type { Candidate } from '../../../domain/placement/candidate.ts';
import type { Fleet } from '../cloud/fleet.ts';
import { type CapacityPool, poolName } from '../worlds/capacity.ts';
import { type Policy, poolsOf, wholeReplica } from './policy.ts';

const memoryMinutes = 3;
const loopsPerMinute = 2;

export const weightedPools: Policy = {
  name: 'weighted-pools',
  start: ({ claim }, { fleet }) => {
    const [preferred] = claim.rungs;
    if (preferred === undefined) throw new Error('A world has at least one rung');
    const { nodes } = preferred.shape;
    const pools = claim.rungs
      .filter((rung) => hasShapeOf(rung, preferred))
      .map((rung, index) => ({ owner: `nodepool-${index}`, pools: poolsOf(rung, claim.zones) }));
    const refusedUntil = new Map<string, number>();
    const holder = () => pools.find(({ owner }) => fleet.running(owner).length > 0);
    const loopOnce = (minute: number) => {
      const held = holder();
      const had = held === undefined ? 0 : fleet.running(held.owner).length;
      for (let node = had; node < nodes; node += 1)
        provision(held === undefined ? pools : [held], { fleet, refusedUntil, minute });
    };
    return {
      step: (minute) => {
        for (let loop = 0; loop < loopsPerMinute; loop += 1) loopOnce(minute);
      },
      replica: (minute) => {
        const held = holder();
        return held === undefined ? undefined : wholeReplica(fleet.running(held.owner), nodes, minute);
      },
    };
  },
};

interface Loop {
  readonly fleet: Fleet;
  readonly refusedUntil: Map<string, number>;
  readonly minute: number;
}

/** Launches one node of the first pool that has an offering left; what it refuses is remembered. */
function provision(
  pools: readonly { readonly owner: string; readonly pools: readonly CapacityPool[] }[],
  { fleet, refusedUntil, minute }: Loop,
): void {
  const isKnownRefused = (pool: CapacityPool) => (refusedUntil.get(poolName(pool)) ?? 0) > minute;
  const chosen = pools.find((candidate) => !candidate.pools.every(isKnownRefused));
  if (chosen === undefined) return;
  const offerings = chosen.pools.filter((pool) => !isKnownRefused(pool));
  if (fleet.launch({ owner: chosen.owner, pools: offerings }, minute) !== undefined) return;
  for (const pool of offerings) refusedUntil.set(poolName(pool), minute + memoryMinutes);
}

function hasShapeOf({ shape }: Candidate, { shape: wanted }: Candidate): boolean {
  return shape.nodes === wanted.nodes && shape.acceleratorsPerNode === wanted.acceleratorsPerNode;
}
