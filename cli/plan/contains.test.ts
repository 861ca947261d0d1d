import { describe, expect, test } from 'vitest';
import { contains, differingPaths } from './contains.ts';

describe('contains', () => {
  const rows: readonly [string, unknown, unknown, boolean][] = [
    ['what the API server added does not count', { a: 1, b: 2 }, { a: 1 }, true],
    ['what is missing counts', { a: 1 }, { a: 1, b: 2 }, false],
    ['another value counts', { a: { b: 1 } }, { a: { b: 2 } }, false],
    ['an addition within an item of a list does not count', { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, true],
    ['a list with more items is another one', { a: [1, 2] }, { a: [1] }, false],
    ['a list in another order is another one', { a: [1, 2] }, { a: [2, 1] }, false],
    ['a text is no number', { a: '1' }, { a: 1 }, false],
    ['nothing has no field', undefined, { a: 1 }, false],
  ];
  test.each(rows)('%s', (_name, whole, part, expected) => {
    expect(contains(whole, part)).toBe(expected);
  });
});

describe('differingPaths', () => {
  const rows: readonly [string, unknown, unknown, readonly string[]][] = [
    ['nothing of equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['a field of an item of a list', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a[0].b']],
    ['a list of another length as a whole', { a: [1] }, { a: [1, 2] }, ['a']],
    ['a field that is gone, and one that is new', { a: 1 }, { b: 1 }, ['a', 'b']],
  ];
  test.each(rows)('names %s', (_name, before, after, expected) => {
    expect(differingPaths(before, after)).toEqual(expected);
  });
});
