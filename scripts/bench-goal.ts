import type { FunctionName } from '../functions/steps.ts';
import type { FleetRow } from './bench-fleet.ts';
import type { Comparison } from './bench-measure.ts';
import type { Size } from './bench-requests.ts';

/** How much CPU time a function may use beside the echo; a wall clock says more about the machine than about it. */
export type Goal =
  | { readonly type: 'Times'; readonly most: number }
  | { readonly type: 'PlusMilliseconds'; readonly most: number };

/** A small request is mostly a decision; of a large one most is passed on, or is not needed. */
const times: Readonly<Record<Size, number>> = { '6kB': 1.5, '100kB': 1, '2MB': 0.3 };

/** The goal of a cell. The fit of a small claim costs what it costs, however small the request is. */
export function goalOf(name: FunctionName, size: Size): Goal {
  const isFit = name === 'placement' && size === '6kB';
  return isFit ? { type: 'PlusMilliseconds', most: 1 } : { type: 'Times', most: times[size] };
}

/** A goal in words. */
export function formatGoal({ type, most }: Goal): string {
  return type === 'Times' ? `${most}x` : `echo + ${most} ms`;
}

/** Tells whether the CPU time of one request is within the goal. */
export function isMet({ type, most }: Goal, { subject, echo, cpuMsRatioToEcho }: Comparison): boolean {
  return type === 'Times' ? cpuMsRatioToEcho <= most : subject.cpuMs - echo.cpuMs <= most;
}

/** CPU milliseconds for a fleet: a twentieth of what the fleet scheduler of a peer took on two such cores (2026-12-01). */
export function fleetGoal({ clusters }: Pick<FleetRow, 'clusters'>): number | undefined {
  if (clusters === 70) return 77 / 20;
  return clusters === 1400 ? 1540 / 20 : undefined;
}

/** What a start may cost: CPU milliseconds, and millions of bytes resident. */
export const startGoal = { cpuMs: 150, rssMb: 80 } as const;
