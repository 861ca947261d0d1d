import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, stableHash } from './canonical-json.ts';
import { isRecord } from './object.ts';

const values: readonly [string, unknown, string][] = [
  ['keys are in another order', { b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
  ['a field is undefined', { a: undefined, b: null }, '{"b":null}'],
  ['the order of a list means something', ['b', 'a'], '["b","a"]'],
  ['maps are in a list', [{ b: 1, a: 2 }], '[{"a":2,"b":1}]'],
  ['a key is upper case, which sorts first', { a: 1, B: 2 }, '{"B":2,"a":1}'],
  ['there is nothing', undefined, 'null'],
];

test.each(values)('canonicalJson writes one text for equal values when %s', (_name, value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

/** The same value with the keys of every map in the opposite order. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, child]) => [key, reverseKeys(child)]),
  );
}

test('S3 canonicalJson and stableHash do not depend on the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const other = reverseKeys(value);
      expect([canonicalJson(other), stableHash(other, 16)]).toEqual([canonicalJson(value), stableHash(value, 16)]);
    }),
  );
});

test('canonicalJson loses nothing of a JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(JSON.stringify(value).length).toBe(text.length);
    }),
  );
});

test('stableHash is hexadecimal of the length asked for, and differs for different values', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.jsonValue(), { selector: canonicalJson, maxLength: 50 }), (different) => {
      const hashes = different.map((value) => stableHash(value, 16));
      expect(hashes.filter((hash) => !/^[0-9a-f]{16}$/.test(hash))).toEqual([]);
      expect(new Set(hashes).size).toBe(different.length);
    }),
  );
});

test('S2 stableHash never changes from one version to the next', () => {
  // sha256 of {"a":[1,2],"b":"x"}, by sha256sum of coreutils, 2026-12-01.
  expect(stableHash({ b: 'x', a: [1, 2] }, 8)).toBe('d0f56dda');
});

test('S3 stableHash is the same before and after a thousand others were asked for', () => {
  const values = Array.from({ length: 1000 }, (_, index) => ({ index }));
  const before = values.map((value) => stableHash(value, 64));
  expect(new Set(before).size).toBe(1000);
  expect(values.map((value) => stableHash(value, 64))).toEqual(before);
  expect(stableHash('a', 64)).toBe('ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c');
});
