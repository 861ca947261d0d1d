import type { ExistingPool } from '../../hardware/existing-pool.ts';
import type { Cluster } from '../../hardware/hardware-class.ts';
import { pluginResources } from '../../hardware/vendor.ts';
import { label } from '../../kubernetes/label.ts';
import { type KubernetesObject, readPath } from '../../kubernetes/object.ts';
import { isUsableNode } from '../node.ts';

/** One node of an existing pool, as observed. */
export interface PoolNode {
  readonly name: string;
  /** Ready and schedulable. */
  readonly usable: boolean;
  /** Accelerators that may be granted on it. */
  readonly accelerators: number;
}

/** An existing pool with the nodes that are its own. */
export interface PoolView {
  readonly name: string;
  readonly className: string;
  readonly nodes: readonly PoolNode[];
  /** Nodes that have its labels and belong to an earlier pool or to a node group. */
  readonly others: readonly string[];
}

/**
 * The pools of a cluster with their nodes, which are sorted by name. A node belongs to the first pool whose selector it has, and
 * to none when a node group of ours made it, so that no accelerator is counted twice.
 *
 * @param nodesOf the nodes that the selector of a pool selects
 */
export function viewPools(
  { pools, allocation }: Pick<Cluster, 'pools' | 'allocation'>,
  nodesOf: (pool: ExistingPool) => readonly KubernetesObject[],
): readonly PoolView[] {
  const taken = new Set<string>();
  return pools.map((pool) => {
    const found = [...nodesOf(pool)].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
    const isOwn = (node: KubernetesObject) =>
      !taken.has(nameOf(node)) && node.metadata.labels?.[label.node] === undefined;
    const own = found.filter(isOwn);
    const others = found.filter((node) => !isOwn(node)).map(nameOf);
    for (const node of own) taken.add(nameOf(node));
    const nodes = own.map((node) => viewNode(node, pool, allocation));
    return { name: pool.name, className: pool.className, nodes, others };
  });
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? '';
}

function viewNode(node: KubernetesObject, pool: ExistingPool, allocation: Cluster['allocation']): PoolNode {
  const declared = pool.node.accelerators;
  const accelerators = allocation === 'DevicePlugin' ? Math.min(declared, countPublished(node)) : declared;
  return { name: nameOf(node), usable: isUsableNode(node), accelerators };
}

/** Accelerators that a device plugin publishes on a node; none where no plugin runs, whatever is declared (S5). */
function countPublished(node: KubernetesObject): number {
  const counts = Object.values(pluginResources).map((name) =>
    Number(readPath(node, ['status', 'allocatable', name]) ?? 0),
  );
  return Math.max(...counts.filter(Number.isInteger), 0);
}
