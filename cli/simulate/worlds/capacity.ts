import type { MarketName } from '../../../domain/hardware/reservation.ts';

/** A capacity pool: one instance type in one zone and market, which grants or refuses for itself (L7). */
export interface CapacityPool {
  readonly instanceType: string;
  readonly zone: string;
  readonly market: MarketName;
}

/** Minutes from the start of the world in which a pool grants; without an end it grants for good. */
export interface Grants {
  readonly from: number;
  readonly until: number;
  /** Most instances of the pool that run at once; unset: any number. */
  readonly most?: number | undefined;
}

/** What each pool grants, by its name, in order; a pool that is not here refuses always. */
export type Capacity = ReadonlyMap<string, readonly Grants[]>;

export function poolName({ instanceType, zone, market }: CapacityPool): string {
  return `${instanceType}/${zone}/${market}`;
}

/** Tells whether a pool grants one more instance in a minute. */
export function grantsIn(capacity: Capacity, pool: CapacityPool, minute: number, running = 0): boolean {
  const spans = capacity.get(poolName(pool)) ?? [];
  return spans.some(
    ({ from, until, most = Number.POSITIVE_INFINITY }) => minute >= from && minute < until && running < most,
  );
}
