import type { Condition } from '../../kubernetes/condition.ts';
import type { Climb } from '../climb-ladder.ts';
import type { PoolPlace, RungView } from '../rung.ts';
import { isNew } from './list-pool-asks.ts';

/** The condition of a replica that existing pools keep waiting; undefined where something else says more. */
export function poolCondition(climb: Climb, cluster: string, liveRung: string | undefined): Condition | undefined {
  if (climb.winner !== undefined) return undefined;
  const places = climb.decisions.flatMap(({ rung }) => toPlace(rung));
  const lost = places.find(({ rung, pool }) => rung.name === liveRung && pool.lost.length > 0);
  if (lost !== undefined) return lostCondition(lost, cluster);
  const asked = climb.decisions.filter(({ wanted }) => wanted === 'Asked');
  const fresh = asked.filter(isNew).flatMap(({ rung }) => toPlace(rung))[0];
  if (fresh !== undefined && asked.length === 1) return grantCondition(fresh, cluster);
  const full = places.find(({ rung, pool }) => rung.allowed && pool.room === 'Full');
  return full === undefined || asked.length > 0 ? undefined : fullCondition(full, cluster);
}

interface Place {
  readonly rung: RungView;
  readonly pool: PoolPlace;
}

function toPlace(rung: RungView): readonly Place[] {
  return rung.pool === undefined ? [] : [{ rung, pool: rung.pool }];
}

function lostCondition({ rung, pool }: Place, cluster: string): Condition {
  const nodes = pool.lost.map((node) => `"${node}"`).sort();
  const gone = nodes.length === 1 ? `Node ${nodes[0]} is` : `Nodes ${nodes.join(', ')} are`;
  const message = `${gone} gone from the cluster with the engine that ran there: wait until InferenceCluster "${cluster}" grants ${describeRoom({ rung, pool })} elsewhere, or bring the node back`;
  return { type: 'Placed', status: 'False', reason: 'PoolNodeLost', message };
}

function grantCondition(place: Place, cluster: string): Condition {
  const message = `Waiting until InferenceCluster "${cluster}" grants ${describeRoom(place)}`;
  return { type: 'Placed', status: 'False', reason: 'WaitingForGrant', message };
}

function fullCondition({ rung, pool }: Place, cluster: string): Condition {
  const free = pool.free === undefined ? 'nothing' : pool.free;
  const message = `Waiting for ${describeRoom({ rung, pool })} of InferenceCluster "${cluster}", where ${free} are free: release replicas, add nodes to the pool, or allow another class`;
  return { type: 'Placed', status: 'False', reason: 'PoolFull', message };
}

/** What a rung takes of its pool: `2 accelerators on one node of pool "vultr-mi300x"`. */
function describeRoom({ rung, pool }: Place): string {
  return `${describePart(rung, pool)} of pool "${pool.name}"`;
}

function describePart({ nodes }: RungView, pool: PoolPlace): string {
  return `${countAccelerators(pool)} ${nodes === 1 ? 'on one node' : `on each of ${nodes} nodes`}`;
}

function countAccelerators({ acceleratorsPerNode: count }: PoolPlace): string {
  return count === 1 ? '1 accelerator' : `${count} accelerators`;
}

/** What the ledger says of a rung on a pool: `2 accelerators on mi300x-1`. */
export function describeEvidence(rung: RungView, pool: PoolPlace): string {
  const part = describePart(rung, pool);
  if (pool.lost.length > 0) return `${[...pool.lost].sort().join(', ')} is gone; wants ${part} in its place`;
  if (pool.room === 'Granted') return `${countAccelerators(pool)} on ${rung.groups.map(({ name }) => name).join(', ')}`;
  const free = pool.free === undefined ? 'nothing is' : `${pool.free} are`;
  return `wants ${part}; ${free} free`;
}
