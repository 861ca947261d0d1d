/**
 * Turns the weights of routes into whole weights of replicas: each route's share is split evenly over its replicas,
 * and all are divided by what they have in common, so that equal replicas have weight 1. Refused: the route's weight
 * for each replica, by which a route's share would grow with its replicas.
 */

/** Replicas that may have traffic, and the share of their route. */
export interface Share {
  readonly weight: number;
  readonly replicas: readonly string[];
}

/** Largest weight of a backend (Gateway API, read 2026-12-01). */
export const maxWeight = 1_000_000;
/** Parts that a share is rounded to where exact weights would be too large. */
const roundedParts = 10_000;

/** The weight of each replica; replicas of a route without weight have 0. */
export function spreadWeights(shares: readonly Share[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const counts = shares.filter(hasTraffic).map(({ replicas }) => replicas.length);
  const parts = counts.reduce(leastCommonMultiple, 1);
  const isExact = parts * 100 <= maxWeight;
  for (const { weight, replicas } of shares) {
    const exact = (weight * (isExact ? parts : roundedParts)) / Math.max(replicas.length, 1);
    for (const replica of replicas) weights.set(replica, weight === 0 ? 0 : Math.max(1, Math.round(exact)));
  }
  const divisor = [...weights.values()].reduce(greatestCommonDivisor, 0);
  return new Map([...weights].map(([replica, weight]) => [replica, weight === 0 ? 0 : weight / divisor]));
}

function hasTraffic({ weight, replicas }: Share): boolean {
  return weight > 0 && replicas.length > 0;
}

function leastCommonMultiple(left: number, right: number): number {
  return (left / greatestCommonDivisor(left, right)) * right;
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}
