/** The reader and the writer of Structs against those of the SDK, both ways. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDifference, writeBySdk } from '../../test/differs-from-sdk.ts';
import { readStruct, readValue, type Wanted } from './read-struct.ts';
import { writeStruct, writeValue } from './write-struct.ts';

type Fields = Record<string, unknown>;

/** JSON without the one name that no reader of ours or of the SDK gives back. */
const plainJson = fc.jsonValue({ depthSize: 'medium' }).filter((value) => !JSON.stringify(value).includes('__proto__'));

test('a value that is written is read as it was', () => {
  fc.assert(
    fc.property(plainJson, (value) => {
      expect(readValue(writeValue(value))).toEqual(value);
    }),
  );
});

/** Of a plain object what a reader that wants these fields reads of its bytes. */
function pick(value: unknown, wanted: Wanted): unknown {
  if (wanted === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => {
      const below = wanted(name);
      return below === undefined ? [] : [[name, pick(child, below)]];
    }),
  );
}

test('what is read of the wanted fields is what is read of them when all is read', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const { fields } = fc.letrec<{ fields: Wanted; value: unknown }>((tie) => ({
    fields: fc.oneof(
      { maxDepth: 4 },
      fc.constant<Wanted>(true),
      fc.array(fc.tuple(name, tie('fields')), { maxLength: 3 }).map((entries): Wanted => {
        const below = new Map<string, Wanted>(entries);
        return (field) => below.get(field);
      }),
    ),
    value: fc.constant(0),
  }));
  const { object } = fc.letrec<{ object: Fields; value: unknown }>((tie) => ({
    object: fc.dictionary(name, tie('value')),
    value: fc.oneof({ maxDepth: 4 }, fc.integer(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  }));
  fc.assert(
    fc.property(object, fields, (value, wanted) => {
      expect(readStruct(writeStruct(value), wanted)).toEqual(pick(value, wanted));
    }),
  );
});

describe('text of every length is read and written as by the SDK', () => {
  const lengths = [1, 24, 25, 40, 41, 127, 128, 16_383, 16_384, 70_000, 700_000];
  test.each(lengths)('%i characters', (length) => {
    for (const character of ['a', 'é', '漢', '😀']) {
      expect(findDifference({ [character.repeat(length).slice(0, 200)]: character.repeat(length) })).toBeUndefined();
    }
  });

  test('text that shares its place among what was read before is told apart', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `name-${index}`);
    const object = Object.fromEntries(names.map((name) => [name, name]));
    expect(readStruct(writeStruct(object))).toEqual(object);
    expect(readStruct(writeStruct(object))).toEqual(object);
  });
});

describe('a value that is no JSON cannot be written', () => {
  test.each([1n, () => 1, Symbol('x')])('%s', (value) => {
    expect(() => writeStruct({ value })).toThrow('it is no JSON');
    expect(writeStruct({ value: 1 })).toEqual(writeBySdk({ value: 1 }));
  });
});
