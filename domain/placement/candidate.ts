import type { Verdict } from '../fit/verdict.ts';
import type { ExistingPool } from '../hardware/existing-pool.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { MarketName, Reservation } from '../hardware/reservation.ts';
import type { Shape } from '../shape/shape.ts';
import { describeShape, formatShape } from '../shape/shape.ts';
import { roundUsd, type UsdPerHour } from '../units/usd.ts';

/** How capacity is had: node groups of a market, or nodes of a pool that exists. */
export type Market = MarketName | 'Existing';

/** One way to hold a replica: a class in a shape on one cluster, with what it would cost and whether the model fits. */
export interface Candidate {
  readonly cluster: Cluster;
  readonly hardwareClass: HardwareClass;
  readonly shape: Shape;
  readonly market: Market;
  /** The pool whose nodes exist, where the market is Existing. */
  readonly pool?: ExistingPool;
  /** The one zone in which all nodes are asked for; unset: in every zone of the cluster. */
  readonly zone?: string;
  /** The reservation whose instances are asked for, where the market is Reservation. */
  readonly reservation?: Reservation;
  /** Interchangeable node types in the order in which they are asked for; of a pool the part of a node that the shape takes. */
  readonly nodeTypes: readonly NodeType[];
  /** What the replica costs if every node comes as its dearest listed type; undefined when a price is unknown. */
  readonly usdPerHour?: UsdPerHour;
  readonly verdict: Verdict;
}

type Place = Pick<Candidate, 'hardwareClass' | 'shape' | 'market' | 'pool' | 'zone' | 'reservation'>;

/** The identity of a rung within a replica: class, shape, and market or pool, as one word for annotations and messages. */
export function rungName({ hardwareClass, shape, market, pool, zone, reservation }: Place): string {
  const source = pool === undefined ? market : `pool/${pool.name}`;
  const within = reservation?.id ?? zone;
  return [hardwareClass.name, formatShape(shape), source, ...(within === undefined ? [] : [within])].join('/');
}

/** What the name of a rung says of where its nodes come from. */
export interface RungPlace {
  readonly className: string;
  readonly market: Market | undefined;
  /** The one zone that it asks in, the id of its reservation, or the name of its pool; undefined: in every zone. */
  readonly within: string | undefined;
}

/** Reads what `rungName` wrote. */
export function readRungName(name: string): RungPlace {
  const [className = '', , source, within] = name.split('/');
  return { className, market: source === 'pool' ? 'Existing' : markets.find((known) => known === source), within };
}

const markets: readonly Market[] = ['OnDemand', 'Spot', 'Reservation', 'Existing'];

/** The shape of a candidate for people: `1 x L4`, `2 x MI300X in pool vultr-mi300x`, `1 x L4 on spot`. */
export function describePlace({ hardwareClass, shape, market, pool, zone, reservation }: Place): string {
  const place = describeShape(shape, hardwareClass.accelerator.name);
  if (pool !== undefined) return `${place} in pool ${pool.name}`;
  if (reservation !== undefined) return `${place} in reservation ${reservation.id}`;
  return [place, ...(market === 'Spot' ? ['on spot'] : []), ...(zone === undefined ? [] : [`in ${zone}`])].join(' ');
}

/** The price of a shape if every node comes as the dearest type; undefined when one price is unknown. */
export function dearestPrice(shape: Shape, nodeTypes: readonly NodeType[]): UsdPerHour | undefined {
  const prices: number[] = [];
  for (const { usdPerHour } of nodeTypes) {
    if (usdPerHour === undefined) return undefined;
    prices.push(usdPerHour);
  }
  return prices.length === 0 ? undefined : roundUsd(shape.nodes * Math.max(...prices));
}
