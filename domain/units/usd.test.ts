import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUsd, roundUsd, sumUsd } from './usd.ts';

const sums: readonly [string, readonly number[], number][] = [
  ['there is none', [], 0],
  ['binary fractions would leave dust', [0.1, 0.2], 0.3],
  ['they are the two rungs of the hello example', [0.9776, 1.861], 2.8386],
  ['one is below a hundredth of a cent', [0.00001, 1], 1],
];

test.each(sums)('sumUsd adds prices when %s', (_name, prices, expected) => {
  expect(sumUsd(prices)).toBe(expected);
});

/** Prices as AWS lists them: whole hundredths of a cent. */
const somePrices = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 20 });

test('S3 sumUsd is the exact sum, whatever the order of the prices', () => {
  fc.assert(
    fc.property(somePrices, (units) => {
      const prices = units.map((unit) => unit / 1e4);
      const exact = units.reduce((sum, unit) => sum + unit, 0) / 1e4;
      expect([sumUsd(prices), sumUsd(prices.toReversed())]).toEqual([exact, exact]);
    }),
  );
});

test('roundUsd keeps hundredths of a cent and formatUsd shows cents', () => {
  expect([roundUsd(0.80486), roundUsd(2.8386), formatUsd(0.8048), formatUsd(12)]).toEqual([
    0.8049,
    2.8386,
    'USD 0.80/h',
    'USD 12.00/h',
  ]);
});
