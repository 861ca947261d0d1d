/**
 * How sure a verdict is. A case is tried a fixed number of times and may fail a few of them, so that one odd answer
 * blames nobody; the odds say which engines that lets pass. Refused: a test that stops as soon as it is sure, which
 * needs fewer tries and which nobody can check by hand.
 */

export interface TryPlan {
  readonly tries: number;
  /** Tries that may fail. */
  readonly allowed: number;
}

/** How often a case is tried where nothing else is said; see the table of odds in docs/conformance.md. */
export const defaultTries = 50;
/** Share of the tries that must pass where nothing else is said. */
export const defaultLeastPassShare = 0.96;

/** Tries of a case and how many of them may fail; a long one is tried a tenth as often, at least three times. */
export function planTries(length: 'Short' | 'Long', tries: number, leastPassShare: number): TryPlan {
  const own = length === 'Short' ? tries : Math.min(tries, Math.max(3, Math.round(tries / 10)));
  // Without the addend, 0.04 of 50 would be less than 2 in binary fractions.
  return { tries: own, allowed: Math.floor(own * (1 - leastPassShare) + 1e-9) };
}

/** The chance that an engine passes a case which it answers wrong in the given share of tries, by the binomial law. */
export function chanceToPass({ tries, allowed }: TryPlan, wrongShare: number): number {
  let term = (1 - wrongShare) ** tries;
  let sum = term;
  for (let wrong = 1; wrong <= allowed && wrong <= tries; wrong += 1) {
    term *= ((tries - wrong + 1) / wrong) * (wrongShare / (1 - wrongShare));
    sum += term;
  }
  return Math.min(1, sum);
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** 95 of 100 intervals hold the true share. */
const z = 1.96;

/** The interval of Wilson for a share that was seen: it is right for few tries too, and for all or none (1927). */
export function wilsonInterval(seen: number, tries: number): Interval {
  if (tries === 0) return { from: 0, to: 1 };
  const share = seen / tries;
  const spread = z * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  const centre = share + z ** 2 / (2 * tries);
  const scale = 1 + z ** 2 / tries;
  return { from: Math.max(0, (centre - spread) / scale), to: Math.min(1, (centre + spread) / scale) };
}
