/**
 * What is remembered of a raise from zero. While the provider carries it out, which may last an hour where capacity is
 * refused, it does not look at the group and its last report still says zero (aws.md A4), although the group asks. So
 * a zero counts only once a report has shown the raise, or is newer than any raise can be.
 */
import { annotation } from '../kubernetes/label.ts';
import { formatTimestamp, millisBetween, minuteMillis } from '../units/duration.ts';
import type { GroupView } from './rung.ts';

/**
 * Minutes by the clock after which a report is newer than a raise: the provider ends an operation after 60 and looks every
 * 10. Not covered: a clock that leaps ahead by 15 minutes within that time, which forgets a raise that still hangs.
 */
export const raiseMinutes = 75;

/** The memory to write with the size that a group gets now; nothing where what it has is to stay. */
export function raiseMemory(group: GroupView, size: 0 | 1, now: Date): Readonly<Record<string, string>> {
  if (size === 1 && group.specSize === 0) return { [annotation.raisedAt]: formatTimestamp(now) };
  if (group.raisedAt === undefined) return {};
  const isSeen = (group.observedSize ?? 0) > 0;
  const isOver = millisBetween(group.raisedAt, now) >= raiseMinutes * minuteMillis;
  return isSeen || isOver ? { [annotation.raisedAt]: '' } : {};
}
