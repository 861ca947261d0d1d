import type { Verdict } from '../fit/verdict.ts';
import type { Cluster, HardwareClass } from '../hardware/hardware-class.ts';
import type { NodeType } from '../hardware/node-type.ts';
import type { Shape } from '../shape/shape.ts';
import { formatShape } from '../shape/shape.ts';
import { roundUsd, type UsdPerHour } from '../units/usd.ts';

/** How capacity is bought. */
export type Market = 'OnDemand';

/** One way to hold a replica: a class in a shape on one cluster, with what it would cost and whether the model fits. */
export interface Candidate {
  readonly cluster: Cluster;
  readonly hardwareClass: HardwareClass;
  readonly shape: Shape;
  readonly market: Market;
  /** Interchangeable instance types in the order in which they are asked for. */
  readonly nodeTypes: readonly NodeType[];
  /** What the replica costs if every node comes as its dearest listed type; undefined when a price is unknown. */
  readonly usdPerHour?: UsdPerHour;
  readonly verdict: Verdict;
}

/** The identity of a rung within a replica: class, shape and market, as one word for annotations and messages. */
export function rungName(candidate: Pick<Candidate, 'hardwareClass' | 'shape' | 'market'>): string {
  return `${candidate.hardwareClass.name}/${formatShape(candidate.shape)}/${candidate.market}`;
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
