import type { FunctionName } from '../functions/steps.ts';
import type { Comparison } from './bench-measure.ts';
import type { Size } from './bench-requests.ts';

/** How much more CPU time than the echo a function may use; a wall clock says more about the machine than about it. */
export type Goal =
  | { readonly type: 'Times'; readonly most: number }
  | { readonly type: 'PlusMilliseconds'; readonly most: number };

/** The goal of a cell. The fit of a small claim costs what it costs, however small the request is. */
export function goalOf(name: FunctionName, size: Size): Goal {
  return name === 'placement' && size === '6kB' ? { type: 'PlusMilliseconds', most: 1 } : { type: 'Times', most: 1.5 };
}

/** A goal in words. */
export function formatGoal({ type, most }: Goal): string {
  return type === 'Times' ? `${most}x` : `echo + ${most} ms`;
}

/** Tells whether the CPU time of one request is within the goal. */
export function isMet({ type, most }: Goal, { subject, echo, cpuMsRatioToEcho }: Comparison): boolean {
  return type === 'Times' ? cpuMsRatioToEcho <= most : subject.cpuMs - echo.cpuMs <= most;
}
