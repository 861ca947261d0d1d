import type { ExistingPool } from '../hardware/existing-pool.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import { roundUsd } from '../units/usd.ts';

/** One way in which a cluster provides nodes of a class: node groups that are created, or a pool that exists. */
export interface NodeSource {
  /** Unset: node groups are created. */
  readonly pool?: ExistingPool;
  /** Node types to choose from; of a pool each part of a node that divides it evenly, under the name of the pool. */
  readonly nodeTypes: readonly NodeType[];
}

/** Every source of nodes of a class on a cluster: existing pools in the order of its spec, then node groups. */
export function listSources(cluster: Cluster, { name, nodeTypes }: HardwareClass): readonly NodeSource[] {
  const pools = cluster.pools
    .filter(({ className }) => className === name)
    .map((pool) => ({ pool, nodeTypes: partsOf(pool) }));
  return cluster.eks === undefined || nodeTypes.length === 0 ? pools : [...pools, { nodeTypes }];
}

/**
 * A node of a pool is shared evenly: parts that divide it leave no accelerator over that nobody could take, and
 * processor, memory and price go with the accelerators.
 */
function partsOf({ name, node }: ExistingPool): readonly NodeType[] {
  const parts: NodeType[] = [];
  for (let accelerators = 1; accelerators <= node.accelerators; accelerators += 1) {
    if (node.accelerators % accelerators !== 0) continue;
    const part = accelerators / node.accelerators;
    parts.push({
      instanceType: name,
      accelerators,
      allocatableCpu: Math.floor(node.allocatableCpu * part),
      allocatableMemory: Math.floor(node.allocatableMemory * part),
      ...(node.usdPerHour === undefined ? {} : { usdPerHour: roundUsd(node.usdPerHour * part) }),
    });
  }
  return parts;
}
