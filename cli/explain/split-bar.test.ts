import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitBar } from './split-bar.ts';

const bars: readonly [string, readonly number[], number, readonly number[]][] = [
  ['halves it between two equal amounts', [3, 3], 10, [5, 5]],
  ['gives the odd column to the share that is furthest below its width', [2, 1], 10, [7, 3]],
  ['shows a share that is smaller than a column', [1000, 1], 10, [9, 1]],
  ['takes the columns of many small shares from the widest', [100, 0.1, 0.1, 0.1], 10, [7, 1, 1, 1]],
  ['gives nothing to an amount of zero', [5, 0, 5], 4, [2, 0, 2]],
  [
    'tells amounts apart that round to the same share',
    [0.0000010000000000000023, 0.0000010000000000000027, 0.0000010000000000000025, 0],
    209,
    [69, 70, 70, 0],
  ],
  ['is empty where there is no amount at all', [0, 0], 10, [0, 0]],
];

test.each(bars)('splitBar %s', (_name, amounts, length, expected) => {
  expect(splitBar(amounts, length)).toEqual(expected);
});

const amounts = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true })), {
  minLength: 1,
  maxLength: 9,
});

test('splitBar gives columns that sum to the length, and each amount above zero at least one', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 9, max: 300 }), (each, length) => {
      const columns = splitBar(each, length);
      const isEmpty = each.every((amount) => amount === 0);
      expect(columns.reduce((sum, column) => sum + column, 0)).toBe(isEmpty ? 0 : length);
      expect(columns.map((column) => column > 0)).toEqual(each.map((amount) => amount > 0));
    }),
  );
});

test('splitBar never gives a larger amount fewer columns than a smaller one', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 9, max: 300 }), (each, length) => {
      const columns = splitBar(each, length);
      const pairs = each.map((amount, index) => ({ amount, column: columns[index] ?? 0 }));
      const sorted = [...pairs].sort((left, right) => left.amount - right.amount || left.column - right.column);
      expect(sorted.map(({ column }) => column)).toEqual(
        sorted.map(({ column }) => column).sort((left, right) => left - right),
      );
    }),
  );
});
