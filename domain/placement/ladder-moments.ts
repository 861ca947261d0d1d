import { millisBetween, minuteMillis } from '../units/duration.ts';

/** A moment that matters to a ladder: so many minutes after another. */
export interface Moment {
  /** Empty or undefined: never. */
  readonly from: string | undefined;
  readonly minutes: number;
}

/** Seconds to the first of some moments that is still ahead: until then the same state gives the same decision (S4). */
export function wakeAt(moments: readonly Moment[], now: Date): { wakeInSeconds?: number } {
  const ahead = moments.flatMap(({ from, minutes }) => {
    const left = minutes * minuteMillis - (from === undefined ? Number.NaN : millisBetween(from, now));
    return left > 0 ? [Math.ceil(left / 1000)] : [];
  });
  return ahead.length === 0 ? {} : { wakeInSeconds: Math.min(...ahead) };
}
