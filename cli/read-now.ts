import { UnreadableInput } from './unreadable.ts';

/** A time without a zone would be another one on another machine (S4). */
const hasZone = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;

/** The time that `--now` states, else the present. Throws `UnreadableInput`. */
export function readNow(text: string | undefined): Date {
  const now = text === undefined ? new Date() : new Date(hasZone.test(text) ? text : Number.NaN);
  if (Number.isNaN(now.getTime()))
    throw new UnreadableInput(`Cannot read --now "${text}": write a time such as 2026-12-01T10:00:00Z`);
  return now;
}
