import type { ExistingPool } from '../../domain/hardware/existing-pool.ts';
import type { Cluster } from '../../domain/hardware/hardware-class.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ClusterList } from '../../domain/kubernetes/remote/observed-list.ts';
import { listAsks } from '../../domain/placement/pools/pool-ask.ts';
import { grantPools } from '../../domain/placement/pools/pool-grant.ts';
import { describePools, readPoolLedger } from '../../domain/placement/pools/pool-ledger.ts';
import { viewPools } from '../../domain/placement/pools/pool-node.ts';
import { poolsCondition } from '../../domain/placement/pools/pools-condition.ts';
import { formatTimestamp } from '../../domain/units/duration.ts';
import type { ComposeRequest } from '../compose.ts';

/** The nodes of an existing pool, by its selector. */
export function listPoolNodes(pool: ExistingPool): ClusterList {
  return { name: nameOf(pool), apiVersion: 'v1', kind: 'Node', selector: { matchLabels: pool.nodeSelector } };
}

/** What the ledger says of the existing pools of a cluster. */
export interface PoolsPublished {
  readonly ledger: Readonly<Record<string, unknown>>;
  readonly conditions: readonly Condition[];
}

interface PoolsToPublish {
  readonly cluster: Cluster;
  readonly replicas: readonly KubernetesObject[];
  /** The nodes of each pool, by the name of its list. */
  readonly nodes: ReadonlyMap<string, readonly KubernetesObject[]>;
}

/** Grants accelerators of the existing pools to replicas, and says what is left; nothing where there is no pool. */
export function publishPools(
  { xr, now }: Pick<ComposeRequest, 'xr' | 'now'>,
  { cluster, replicas, nodes }: PoolsToPublish,
): PoolsPublished {
  if (cluster.pools.length === 0) return { ledger: {}, conditions: [] };
  const pools = viewPools(cluster, (pool) => nodes.get(nameOf(pool)) ?? []);
  const asks = listAsks(replicas, cluster.name);
  const grants = grantPools({
    pools,
    replicas: asks,
    earlier: readPoolLedger(xr).grants,
    now: formatTimestamp(now),
  });
  const rows = describePools({ pools, grants, replicas: asks });
  const freeAccelerators = rows.reduce((total, row) => total + row.freeAccelerators, 0);
  return { ledger: { pools: rows, freeAccelerators }, conditions: [poolsCondition(pools, grants)] };
}

function nameOf({ name }: ExistingPool): string {
  return `nodes-of-${name}`;
}
