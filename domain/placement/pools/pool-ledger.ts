import { isRecord, type KubernetesObject, readList, readNumber, readString } from '../../kubernetes/object.ts';
import { type ReplicaAsks, readNames } from './pool-ask.ts';
import { freeOn, indexTaken, type PoolGrant } from './pool-grant.ts';
import type { PoolView } from './pool-node.ts';

/** What a pool has left, as the ledger publishes it. */
export interface PoolRoom {
  readonly accelerators: number;
  readonly freeAccelerators: number;
  /** Usable nodes of which nothing is granted. */
  readonly freeNodes: number;
  readonly mostFreeOnNode: number;
}

/** What a cluster published of its existing pools. */
export interface PoolLedger {
  /** By name; a pool whose row cannot be read has none. */
  readonly rooms: ReadonlyMap<string, PoolRoom>;
  readonly grants: readonly PoolGrant[];
}

/** A pool as the ledger publishes it. */
export interface PoolRow extends PoolRoom {
  readonly name: string;
  readonly className: string;
  readonly nodes: number;
  readonly usableNodes: number;
  readonly grants: readonly Omit<PoolGrant, 'pool'>[];
}

/** Grants of one pool that a status lists at most. */
const mostGrants = 256;

export interface PoolsToDescribe {
  readonly pools: readonly PoolView[];
  readonly grants: readonly PoolGrant[];
  readonly replicas: readonly ReplicaAsks[];
}

/** The rows of the ledger, one for each pool, in the order of the spec. */
export function describePools({ pools, grants, replicas }: PoolsToDescribe): readonly PoolRow[] {
  const taken = indexTaken(grants, replicas);
  const byPool = Map.groupBy(grants, ({ pool }) => pool);
  return pools.map(({ name, className, nodes }) => {
    const usable = nodes.filter((node) => node.usable);
    const free = usable.map((node) => freeOn(node, taken));
    return {
      name,
      className,
      nodes: nodes.length,
      usableNodes: usable.length,
      accelerators: sum(usable.map(({ accelerators }) => accelerators)),
      freeAccelerators: sum(free),
      freeNodes: usable.filter((node) => node.accelerators > 0 && freeOn(node, taken) === node.accelerators).length,
      mostFreeOnNode: Math.max(0, ...free),
      grants: (byPool.get(name) ?? []).slice(0, mostGrants).map(({ pool: _pool, ...grant }) => grant),
    };
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Reads what `describePools` published; a row that cannot be read is left out. */
export function readPoolLedger(cluster: KubernetesObject): PoolLedger {
  const rooms = new Map<string, PoolRoom>();
  const grants: PoolGrant[] = [];
  for (const row of readList(cluster, ['status', 'ledger', 'pools'])) {
    const name = readString(row, ['name']);
    const room = readRoom(row);
    if (name === undefined) continue;
    if (room !== undefined) rooms.set(name, room);
    grants.push(...readList(row, ['grants']).flatMap((grant) => readGrant(name, grant)));
  }
  return { rooms, grants };
}

function readRoom(row: unknown): PoolRoom | undefined {
  const [accelerators, freeAccelerators] = [readNumber(row, ['accelerators']), readNumber(row, ['freeAccelerators'])];
  const [freeNodes, mostFreeOnNode] = [readNumber(row, ['freeNodes']), readNumber(row, ['mostFreeOnNode'])];
  if (accelerators === undefined || freeAccelerators === undefined) return undefined;
  if (freeNodes === undefined || mostFreeOnNode === undefined) return undefined;
  return { accelerators, freeAccelerators, freeNodes, mostFreeOnNode };
}

function readGrant(pool: string, row: unknown): readonly PoolGrant[] {
  const [namespace, replica] = [readString(row, ['namespace']), readString(row, ['replica'])];
  const acceleratorsPerNode = readNumber(row, ['acceleratorsPerNode']);
  const [nodes, since] = [readNames(row, 'nodes'), readString(row, ['since'])];
  if (!isRecord(row) || namespace === undefined || replica === undefined) return [];
  if (acceleratorsPerNode === undefined || nodes === undefined || since === undefined) return [];
  return [{ pool, namespace, replica, acceleratorsPerNode, nodes, since }];
}
