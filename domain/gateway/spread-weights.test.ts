import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxWeight, type Share, spreadWeights } from './spread-weights.ts';

const table: readonly [string, readonly Share[], Readonly<Record<string, number>>][] = [
  ['there is no replica', [{ weight: 100, replicas: [] }], {}],
  ['one replica has it all', [{ weight: 100, replicas: ['a'] }], { a: 1 }],
  ['replicas of one route are equal', [{ weight: 7, replicas: ['a', 'b', 'c'] }], { a: 1, b: 1, c: 1 }],
  [
    'routes share by their weights',
    [
      { weight: 90, replicas: ['a'] },
      { weight: 10, replicas: ['b'] },
    ],
    { a: 9, b: 1 },
  ],
  [
    'the share of a route does not grow with its replicas',
    [
      { weight: 90, replicas: ['a', 'b', 'c'] },
      { weight: 10, replicas: ['d'] },
    ],
    { a: 3, b: 3, c: 3, d: 1 },
  ],
  [
    'a route without weight has none',
    [
      { weight: 0, replicas: ['a', 'b'] },
      { weight: 1, replicas: ['c'] },
    ],
    { a: 0, b: 0, c: 1 },
  ],
  ['every route is without weight', [{ weight: 0, replicas: ['a'] }], { a: 0 }],
];

test.each(table)('spreadWeights gives whole numbers when %s', (_name, shares, expected) => {
  expect(Object.fromEntries(spreadWeights(shares))).toEqual(expected);
});

const someShares = fc
  .array(fc.record({ weight: fc.integer({ min: 0, max: 100 }), count: fc.integer({ min: 0, max: 40 }) }), {
    maxLength: 16,
  })
  .map((routes) =>
    routes.map(({ weight, count }, route) => ({
      weight,
      replicas: Array.from({ length: count }, (_unused, index) => `r${route}-${index}`),
    })),
  );

test('spreadWeights keeps every weight whole, within the bound, and zero only where the route is zero', () => {
  fc.assert(
    fc.property(someShares, (shares) => {
      const weights = spreadWeights(shares);
      for (const { weight, replicas } of shares) {
        for (const replica of replicas) {
          const given = weights.get(replica) ?? Number.NaN;
          expect(Number.isInteger(given) && given >= 0 && given <= maxWeight).toBe(true);
          expect(given === 0).toBe(weight === 0);
        }
      }
    }),
  );
});

test('spreadWeights gives each route its share within one part in a hundred', () => {
  fc.assert(
    fc.property(someShares, (shares) => {
      const weights = spreadWeights(shares);
      const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
      const asked = shares.filter(({ replicas }) => replicas.length > 0).reduce((sum, { weight }) => sum + weight, 0);
      for (const { weight, replicas } of shares) {
        if (replicas.length === 0 || asked === 0) continue;
        const got = replicas.reduce((sum, replica) => sum + (weights.get(replica) ?? 0), 0) / total;
        expect(Math.abs(got - weight / asked)).toBeLessThan(0.01);
      }
    }),
  );
});
