import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chanceToPass, defaultLeastPassShare, defaultTries, planTries, wilsonInterval } from './odds.ts';

describe('L6 chanceToPass says', () => {
  const usual = planTries('Short', defaultTries, defaultLeastPassShare);
  const rows: readonly [string, { tries: number; allowed: number }, number, number][] = [
    ['0.7 to the tenth where none of ten may fail', { tries: 10, allowed: 0 }, 0.3, 0.7 ** 10],
    ['1 for an engine that is never wrong', usual, 0, 1],
    ['4.45e-6 for the default against an engine that is wrong in 30%', usual, 0.3, 4.45e-6],
    ['0.9862 for the default and an engine that is wrong in 1%', usual, 0.01, 0.98618],
  ];
  test.each(rows)('%s', (_name, plan, wrongShare, chance) => {
    expect(chanceToPass(plan, wrongShare) / chance).toBeCloseTo(1, 2);
  });

  test('less, the more often the engine is wrong and the fewer may fail', () => {
    const share = fc.double({ min: 0.01, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(10), share, (tries, allowed, wrong) => {
        const chance = chanceToPass({ tries, allowed }, wrong);
        expect(chance).toBeGreaterThanOrEqual(chanceToPass({ tries, allowed }, wrong + 0.01) - 1e-12);
        expect(chance).toBeLessThanOrEqual(chanceToPass({ tries, allowed: allowed + 1 }, wrong) + 1e-12);
      }),
    );
  });
});

describe('planTries gives', () => {
  test.each([
    ['the default 2 failures of 50', 'Short', 50, 0.96, { tries: 50, allowed: 2 }],
    ['a long case a tenth of the tries', 'Long', 50, 0.96, { tries: 5, allowed: 0 }],
    ['a long case at least three', 'Long', 20, 0.96, { tries: 3, allowed: 0 }],
    ['a long case no more than a short one', 'Long', 2, 0.5, { tries: 2, allowed: 1 }],
    ['no failure where every try must pass', 'Short', 50, 1, { tries: 50, allowed: 0 }],
  ] as const)('%s', (_name, length, tries, share, plan) => {
    expect(planTries(length, tries, share)).toEqual(plan);
  });
});

describe('wilsonInterval', () => {
  // By hand from the formula of Wilson 1927 with z = 1.96.
  test.each([
    [15, 50, 0.191, 0.4375],
    [50, 50, 0.9287, 1],
    [0, 10, 0, 0.2775],
  ])('of %i in %i is %f to %f', (seen, tries, from, to) => {
    const interval = wilsonInterval(seen, tries);
    expect(interval.from).toBeCloseTo(from, 3);
    expect(interval.to).toBeCloseTo(to, 3);
  });

  test('holds what was seen, and is narrower for more tries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, share) => {
        const seen = Math.floor(share * tries);
        const { from, to } = wilsonInterval(seen, tries);
        expect(from).toBeLessThanOrEqual(seen / tries + 1e-9);
        expect(to).toBeGreaterThanOrEqual(seen / tries - 1e-9);
        const more = wilsonInterval(seen * 4, tries * 4);
        expect(more.to - more.from).toBeLessThan(to - from);
      }),
    );
  });

  test('of no try is everything', () => {
    expect(wilsonInterval(0, 0)).toEqual({ from: 0, to: 1 });
  });
});
