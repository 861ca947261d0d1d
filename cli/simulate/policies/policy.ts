import type { Candidate } from '../../../domain/placement/candidate.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { hasJoined, type Instance } from '../cloud/fleet.ts';
import type { CapacityPool } from '../worlds/capacity.ts';
import type { World } from '../worlds/world.ts';

export type PolicyName = 'ours' | 'one-shape' | 'sequential-retry' | 'weighted-pools' | 'blocklist-failover';

/** One way to go after capacity. */
export interface Policy {
  readonly name: PolicyName;
  start(world: World, cloud: Cloud): Player | Promise<Player>;
}

/** A policy at work in one world. */
export interface Player {
  /** Acts once a minute, after the cloud has. */
  step(minute: number): void | Promise<void>;
  /** The instances on which the engine runs or starts; undefined while no rung is whole. */
  replica(minute: number): readonly Instance[] | undefined;
  /** Whether the engine answers, where the policy runs it itself; unset: it does once the replica was whole for long enough. */
  serving?(minute: number): boolean;
  /** Minutes until an instance was first asked for, where a node group is created at zero and then raised. */
  createAtZeroMinutes?(): number | undefined;
}

/** The capacity pools of a rung in the order in which they are tried: types as listed, each in every zone that it may. */
export function poolsOf(
  { nodeTypes, market, zone: only }: Candidate,
  zones: readonly string[],
): readonly CapacityPool[] {
  if (market === 'Existing') return [];
  const places = only === undefined ? zones : [only];
  return nodeTypes.flatMap(({ instanceType }) => places.map((zone) => ({ instanceType, zone, market })));
}

/** The instances of a rung once all its nodes have joined. */
export function wholeReplica(
  running: readonly Instance[],
  nodes: number,
  minute: number,
): readonly Instance[] | undefined {
  const joined = running.filter((instance) => hasJoined(instance, minute));
  return joined.length >= nodes ? joined.slice(0, nodes) : undefined;
}
