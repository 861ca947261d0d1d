import type { Condition, Reason } from '../../kubernetes/condition.ts';
import type { PoolGrant } from './pool-grant.ts';
import type { PoolView } from './pool-node.ts';

/** Names and sentences that a message lists at most. */
const most = 5;

/** What is wrong with a pool, and how to mend it. */
interface PoolFault {
  readonly reason: Extract<Reason, 'PoolNodeLost' | 'PoolsOverlap' | 'PoolEmpty'>;
  readonly message: string;
}

/** The worst first: it gives the condition its reason. */
const worst: readonly PoolFault['reason'][] = ['PoolNodeLost', 'PoolsOverlap', 'PoolEmpty'];

/** Whether the existing pools of a cluster are what its spec says; nothing is deleted where they are not. */
export function poolsCondition(pools: readonly PoolView[], grants: readonly PoolGrant[]): Condition {
  const faults = pools.flatMap((pool) => [...findLost(pool, grants), ...findOverlap(pool), ...findEmpty(pool)]);
  const reason = worst.find((candidate) => faults.some((fault) => fault.reason === candidate));
  if (reason === undefined) {
    const message = 'Every pool has nodes, and every node that is granted is there';
    return { type: 'PoolsUsable', status: 'True', reason: 'Complete', message };
  }
  const sorted = worst.flatMap((candidate) => faults.filter((fault) => fault.reason === candidate));
  const message = sorted
    .map((fault) => fault.message)
    .slice(0, most)
    .join('; ');
  return { type: 'PoolsUsable', status: 'False', reason, message };
}

function findLost({ name, nodes }: PoolView, grants: readonly PoolGrant[]): readonly PoolFault[] {
  const own = grants.filter(({ pool }) => pool === name);
  return own.flatMap((grant) => {
    const lost = grant.nodes.filter((node) => !nodes.some((known) => known.name === node));
    return lost.map((node): PoolFault => {
      const message = `Node "${node}" is gone from pool "${name}" and stays granted to ${grant.namespace}/${grant.replica}: bring it back with the labels of the pool, or add another node`;
      return { reason: 'PoolNodeLost', message };
    });
  });
}

function findOverlap({ name, others }: PoolView): readonly PoolFault[] {
  if (others.length === 0) return [];
  const nodes = others.slice(0, most).join(', ');
  const message = `Nodes ${nodes} have the labels of pool "${name}" and belong to another pool or to a node group: state labels in spec.pools that only its own nodes have`;
  return [{ reason: 'PoolsOverlap', message }];
}

function findEmpty({ name, nodes, others }: PoolView): readonly PoolFault[] {
  if (nodes.length + others.length > 0) return [];
  const message = `Pool "${name}" has no node: correct its nodeSelector, or add nodes with those labels`;
  return [{ reason: 'PoolEmpty', message }];
}
