import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedName, hashedName, maxNameLength } from './resource-name.ts';

/** A DNS label (RFC 1123), which is also a valid label value. */
const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const long = 'a'.repeat(80);

const bounded: readonly [string, string, RegExp][] = [
  ['it is a short DNS label', 'llama-0', /^llama-0$/],
  ['it has exactly 63 characters', 'a'.repeat(63), /^a{63}$/],
  ['it has 64 characters', 'a'.repeat(64), /^a{54}-[0-9a-f]{8}$/],
  ['it has a dot', 'llama-3.1-0', /^llama-3-1-0-[0-9a-f]{8}$/],
  ['it has upper case', 'Llama', /^llama-[0-9a-f]{8}$/],
  ['the cut would leave a dash at the end', `${'a'.repeat(53)}-${'b'.repeat(20)}`, /^a{53}-[0-9a-f]{8}$/],
  ['nothing of it can be in a label', '___', /^x-[0-9a-f]{8}$/],
];

test.each(bounded)('boundedName keeps what it can of a name when %s', (_name, name, expected) => {
  expect(boundedName(name)).toMatch(expected);
});

// The hash is sha256 of {"a":1}, by sha256sum of coreutils, 2026-12-01.
test('S2 hashedName never changes from one version to the next', () => {
  expect(hashedName('llama-0-l4', { a: 1 })).toBe('llama-0-l4-015abd7f');
});

const someNames = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.stringMatching(/^[A-Za-z0-9._-]{0,100}$/),
  fc.nat({ max: 1000 }).map((index) => `${long}-${index}`),
);

test('S2 hashedName and boundedName are DNS labels of at most 63 characters, the same each time', () => {
  fc.assert(
    fc.property(someNames, fc.jsonValue(), (name, identity) => {
      const names = [hashedName(name, identity), boundedName(name)];
      expect(names.filter((made) => !dnsLabel.test(made) || made.length > maxNameLength)).toEqual([]);
      expect([hashedName(name, identity), boundedName(name)]).toEqual(names);
    }),
  );
});

test('S2 boundedName leaves every valid label as it is, and what it made too', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/), someNames, (valid, any) => {
      expect([boundedName(valid), boundedName(boundedName(any))]).toEqual([valid, boundedName(any)]);
    }),
  );
});

test('S2 boundedName gives different names different labels', () => {
  fc.assert(
    fc.property(fc.uniqueArray(someNames, { minLength: 2, maxLength: 200 }), (names) => {
      expect(new Set(names.map(boundedName)).size).toBe(names.length);
    }),
  );
});

test('S2 hashedName tells identities apart even where the prefix is cut', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 2, maxLength: 200 }), (identities) => {
      expect(new Set(identities.map((identity) => hashedName(long, identity))).size).toBe(identities.length);
    }),
  );
});
