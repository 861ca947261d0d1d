import type { ExistingPool } from '../hardware/existing-pool.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { MarketName, Reservation } from '../hardware/reservation.ts';
import { roundUsd } from '../units/usd.ts';
import type { Market } from './candidate.ts';

/** One way in which a cluster provides nodes of a class: node groups that are created, or a pool that exists. */
export interface NodeSource {
  readonly market: Market;
  /** Unset: node groups are created. */
  readonly pool?: ExistingPool;
  /** What it is a part of, where the market is Reservation. */
  readonly reservation?: Reservation;
  /** Node types to choose from; of a pool each part of a node that divides it evenly, under the name of the pool. */
  readonly nodeTypes: readonly NodeType[];
}

/**
 * Every source of nodes of a class on a cluster: existing pools in the order of its spec, then node groups of each
 * market in the order given.
 */
export function listSources(
  cluster: Cluster,
  hardwareClass: HardwareClass,
  markets: readonly MarketName[] = ['OnDemand'],
): readonly NodeSource[] {
  const { name, nodeTypes } = hardwareClass;
  const pools = cluster.pools
    .filter(({ className }) => className === name)
    .map((pool): NodeSource => ({ market: 'Existing', pool, nodeTypes: partsOf(pool) }));
  if (cluster.eks === undefined || nodeTypes.length === 0) return pools;
  const bought = markets.filter((market) => marketsOf(hardwareClass).includes(market));
  return [...pools, ...bought.flatMap((market) => sourcesOf(market, hardwareClass))];
}

/** How nodes of a class may be bought; where nobody says it, on demand and by the reservations that it lists. */
export function marketsOf({ markets, reservations = [] }: HardwareClass): readonly MarketName[] {
  return markets ?? (reservations.length > 0 ? ['OnDemand', 'Reservation'] : ['OnDemand']);
}

/** Node types at the price of a market: that of spot is no part of the price on demand, so unknown stays unknown. */
function sourcesOf(market: MarketName, { nodeTypes, reservations = [] }: HardwareClass): readonly NodeSource[] {
  if (market === 'OnDemand') return [{ market, nodeTypes }];
  if (market === 'Reservation') return reservations.flatMap((reservation) => reservedSource(reservation, nodeTypes));
  const atSpot = nodeTypes.map(({ usdPerHour: _onDemand, ...type }): NodeType => {
    const { spotUsdPerHour } = type;
    return spotUsdPerHour === undefined ? type : { ...type, usdPerHour: spotUsdPerHour };
  });
  return [{ market, nodeTypes: atSpot }];
}

/** The type of a reservation at its own price; one that is paid already costs nothing more. */
function reservedSource(reservation: Reservation, nodeTypes: readonly NodeType[]): readonly NodeSource[] {
  const { instanceType, usdPerHour = 0 } = reservation;
  const type = nodeTypes.find((known) => known.instanceType === instanceType);
  return type === undefined ? [] : [{ market: 'Reservation', reservation, nodeTypes: [{ ...type, usdPerHour }] }];
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
