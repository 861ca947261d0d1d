import type { Figures } from './summarise.ts';

/** What was reached before, and why rows are wrong. */
export interface Recorded {
  readonly figures: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/** Differences that come from the order of additions alone. */
const dust = 1e-9;

/** A line for each figure that is worse than recorded, or that is not recorded. */
export function listWorse(figures: Figures, recorded: Recorded['figures']): readonly string[] {
  return Object.entries(figures).flatMap(([name, { value, better }]) => {
    const before = recorded[name];
    if (before === undefined) return [`Not recorded: "${name}" is ${value}; run npm run accuracy -- --update`];
    const loss = better === 'less' ? value - before : before - value;
    return loss > dust ? [`Worse: "${name}" was ${before}, is ${value}`] : [];
  });
}
