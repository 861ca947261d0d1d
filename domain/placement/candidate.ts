import type { Verdict } from '../fit/verdict.ts';
import type { ExistingPool } from '../hardware/existing-pool.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { Shape } from '../shape/shape.ts';
import { describeShape, formatShape } from '../shape/shape.ts';
import { roundUsd, type UsdPerHour } from '../units/usd.ts';

/** How capacity is had: node groups on demand, or nodes of a pool that exists. */
export type Market = 'OnDemand' | 'Existing';

/** One way to hold a replica: a class in a shape on one cluster, with what it would cost and whether the model fits. */
export interface Candidate {
  readonly cluster: Cluster;
  readonly hardwareClass: HardwareClass;
  readonly shape: Shape;
  readonly market: Market;
  /** The pool whose nodes exist, where the market is Existing. */
  readonly pool?: ExistingPool;
  /** Interchangeable node types in the order in which they are asked for; of a pool the part of a node that the shape takes. */
  readonly nodeTypes: readonly NodeType[];
  /** What the replica costs if every node comes as its dearest listed type; undefined when a price is unknown. */
  readonly usdPerHour?: UsdPerHour;
  readonly verdict: Verdict;
}

/** The identity of a rung within a replica: class, shape, and market or pool, as one word for annotations and messages. */
export function rungName(candidate: Pick<Candidate, 'hardwareClass' | 'shape' | 'market' | 'pool'>): string {
  const { hardwareClass, shape, market, pool } = candidate;
  return `${hardwareClass.name}/${formatShape(shape)}/${pool === undefined ? market : `pool/${pool.name}`}`;
}

/** The shape of a candidate for people: `1 x L4`, `2 x MI300X in pool vultr-mi300x`. */
export function describePlace({
  hardwareClass,
  shape,
  pool,
}: Pick<Candidate, 'hardwareClass' | 'shape' | 'pool'>): string {
  const place = describeShape(shape, hardwareClass.accelerator.name);
  return pool === undefined ? place : `${place} in pool ${pool.name}`;
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
