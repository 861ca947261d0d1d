import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findGrowth } from './bench-growth.ts';

const line = fc.record({
  start: fc.integer({ min: 0, max: 5_000 }),
  step: fc.integer({ min: 50, max: 20_000 }),
  /** Growths between which the size stays as it is. */
  flat: fc.integer({ min: 1, max: 5 }),
  wanted: fc.integer({ min: 6_000, max: 2_000_000 }),
});

test('findGrowth is as near as any growth can be, or near enough, when the size grows in steps', async () => {
  await fc.assert(
    fc.asyncProperty(line, async ({ start, step, flat, wanted }) => {
      const sizeAt = (growth: number) => start + Math.floor(growth / flat) * step;
      const found = await findGrowth(wanted, async (growth) => sizeAt(growth));
      const off = (growth: number) => Math.abs(sizeAt(growth) - wanted);
      const ideal = Math.round((wanted - start) / step) * flat;
      expect(found).toBeGreaterThanOrEqual(0);
      expect(off(found)).toBeLessThanOrEqual(Math.max(off(ideal), wanted * 0.02));
    }),
  );
});

const constant: readonly [string, number, number][] = [
  ['is too small', 5_000, 6_000],
  ['is large enough from the start', 7_000, 6_000],
  ['has the size', 6_000, 6_000],
];

test.each(constant)('findGrowth is 0 when what never grows %s', async (_name, size, wanted) => {
  expect(await findGrowth(wanted, async () => size)).toBe(0);
});

test('findGrowth looks at few sizes when they grow along a line', async () => {
  const looked: number[] = [];
  await findGrowth(2_000_000, async (growth) => {
    looked.push(growth);
    return 25_000 + growth * 6_100;
  });
  expect(looked).toEqual([0, 8, 324]);
});
