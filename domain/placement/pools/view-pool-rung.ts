import type { ExistingPool } from '../../hardware/existing-pool.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { parseShape, type Shape } from '../../shape/shape.ts';
import { roundUsd } from '../../units/usd.ts';
import { type Candidate, rungName } from '../candidate.ts';
import { isUsableNode } from '../node.ts';
import type { GroupView, PoolPlace, RungView } from '../rung.ts';
import { isFor, type PoolGrant } from './pool-grant.ts';
import type { PoolRoom } from './pool-ledger.ts';

/** What one replica has and could have of the existing pools of its cluster. */
export interface ReplicaPools {
  readonly rooms: ReadonlyMap<string, PoolRoom>;
  /** Its own grants. */
  readonly grants: readonly PoolGrant[];
  /** Those of its granted nodes that exist, by name. */
  readonly nodes: ReadonlyMap<string, KubernetesObject>;
  /** The rung and the nodes that its workload was rendered for. */
  readonly live?: { readonly rung: string; readonly nodes: readonly string[] };
}

/** A rung on an existing pool as the ledger and the replica's own nodes have it. */
export function viewPoolRung(candidate: Candidate, pool: ExistingPool, pools: ReplicaPools): RungView {
  const name = rungName(candidate);
  const { shape, usdPerHour = 0 } = candidate;
  return { name, nodes: shape.nodes, usdPerHour, allowed: true, ...viewPlace({ name, pool: pool.name, shape, pools }) };
}

/** The live rung where it is a pool of which the replica is no candidate any more: it is kept, never asked anew. */
export function viewLeftPool(
  known: ReadonlySet<string>,
  pools: ReplicaPools,
  spec: readonly ExistingPool[],
): readonly RungView[] {
  const name = pools.live?.rung ?? '';
  const [, shapeText = '', kind, pool = ''] = name.split('/');
  const shape = parseShape(shapeText);
  if (kind !== 'pool' || shape === undefined || known.has(name)) return [];
  const price = priceOf(
    shape,
    spec.find((listed) => listed.name === pool),
  );
  return [{ name, nodes: shape.nodes, usdPerHour: price, allowed: false, ...viewPlace({ name, pool, shape, pools }) }];
}

function priceOf({ nodes, acceleratorsPerNode }: Shape, pool: ExistingPool | undefined): number {
  const { usdPerHour = 0, accelerators = 1 } = pool?.node ?? {};
  return roundUsd((nodes * acceleratorsPerNode * usdPerHour) / accelerators);
}

interface PlaceQuestion {
  readonly name: string;
  readonly pool: string;
  readonly shape: Shape;
  readonly pools: ReplicaPools;
}

function viewPlace({ name, pool, shape, pools }: PlaceQuestion): { pool: PoolPlace; groups: readonly GroupView[] } {
  const { nodes, acceleratorsPerNode } = shape;
  const grant = pools.grants.find((own) => isFor(own, { pool, nodes, acceleratorsPerNode }));
  // A ledger that lost its word takes nothing from an engine that is there (S1).
  const remembered = pools.live?.rung === name ? pools.live.nodes : [];
  const names = grant?.nodes ?? remembered;
  const room = pools.rooms.get(pool);
  return {
    pool: {
      name: pool,
      acceleratorsPerNode,
      room: names.length > 0 ? 'Granted' : hasRoom(shape, room) ? 'Free' : 'Full',
      lost: names.filter((node) => !pools.nodes.has(node)),
      leaving: remembered.filter((node) => !names.includes(node)),
      free: room === undefined ? undefined : `${room.freeAccelerators} of ${room.accelerators}`,
    },
    groups: names.map((node) => viewNode(node, pools.nodes.get(node), grant?.since)),
  };
}

/** A shape on one node takes part of it, one over several takes whole nodes. */
function hasRoom({ nodes, acceleratorsPerNode }: Shape, room: PoolRoom | undefined): boolean {
  if (room === undefined) return false;
  return nodes === 1 ? acceleratorsPerNode <= room.mostFreeOnNode : nodes <= room.freeNodes;
}

/** A node that is gone costs nothing and takes no place; of one that only the workload knows, nobody knows since when. */
function viewNode(name: string, node: KubernetesObject | undefined, since: string | undefined): GroupView {
  const key = `node-${name}`;
  if (node === undefined) return { key, name, specSize: 0, observedSize: 0, joined: 0, usable: 0 };
  const seen: GroupView = { key, name, specSize: 1, observedSize: 1, joined: 1, usable: isUsableNode(node) ? 1 : 0 };
  return since === undefined ? seen : { ...seen, askedAt: since };
}
