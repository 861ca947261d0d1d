import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readPath,
  readString,
} from '../../kubernetes/object.ts';
import { ageOf } from '../replica-age.ts';

/** What one replica has or wants of an existing pool. */
export interface PoolAsk {
  readonly pool: string;
  readonly nodes: number;
  readonly acceleratorsPerNode: number;
  /** Granted nodes that exist; empty while nothing is granted. */
  readonly holds: readonly string[];
  /** Granted nodes that are gone, and nodes in whose place others are granted while its engine has not left them. */
  readonly lost: readonly string[];
}

/** What one replica asks of all pools of its cluster. */
export interface ReplicaAsks {
  readonly namespace: string;
  readonly replica: string;
  /** In the order in which it prefers them; undefined while its status says nothing, which is not the same as none. */
  readonly asks: readonly PoolAsk[] | undefined;
}

/** What the replicas of a cluster ask, the oldest replica first. */
export function listAsks(replicas: readonly KubernetesObject[], cluster: string): readonly ReplicaAsks[] {
  return replicas
    .filter((replica) => readString(replica, ['spec', 'clusterName']) === cluster)
    .map((replica) => ({ age: ageOf(replica), asks: toAsks(replica) }))
    .sort((left, right) => (left.age < right.age ? -1 : 1))
    .map(({ asks }) => asks);
}

function toAsks(replica: KubernetesObject): ReplicaAsks {
  const { namespace = '', name = '' } = replica.metadata;
  const rows = readPath(replica, ['status', 'pools']);
  const asks = Array.isArray(rows) ? rows.map(readAsk) : undefined;
  // One row that cannot be read might be the one that holds something.
  const isWhole = asks?.every((ask) => ask !== undefined) === true;
  return { namespace, replica: name, asks: isWhole ? asks.filter((ask) => ask !== undefined) : undefined };
}

function readAsk(row: unknown): PoolAsk | undefined {
  const pool = readString(row, ['pool']);
  const nodes = readNumber(row, ['nodes']);
  const acceleratorsPerNode = readNumber(row, ['acceleratorsPerNode']);
  const [holds, lost] = [readNames(row, 'holds'), readNames(row, 'lost')];
  if (!isRecord(row) || pool === undefined || nodes === undefined || acceleratorsPerNode === undefined)
    return undefined;
  return holds === undefined || lost === undefined ? undefined : { pool, nodes, acceleratorsPerNode, holds, lost };
}

/** A list of names in a row of a status; undefined when it is missing or holds anything else. */
export function readNames(row: unknown, field: string): readonly string[] | undefined {
  const names = readList(row, [field]);
  const texts = names.filter((name) => typeof name === 'string');
  return Array.isArray(readPath(row, [field])) && texts.length === names.length ? texts : undefined;
}
