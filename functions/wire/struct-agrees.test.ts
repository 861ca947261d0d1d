/** The reader and the writer of Structs against those of the SDK, both ways, on every golden case and on 10,000 generated values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { findDifference } from '../../test/differs-from-sdk.ts';

const cases = join(import.meta.dirname, '../../test/render/cases');
const files = readdirSync(cases, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));

test('every object of every golden case is read and written as by the SDK', { timeout: 30_000 }, () => {
  const texts = files.map((name) => readFileSync(join(cases, name), 'utf8'));
  const objects = texts.flatMap((text) =>
    parseAllDocuments(text).map((document): Record<string, unknown> => document.toJS()),
  );
  expect(objects.length).toBeGreaterThanOrEqual(300);
  expect(objects.filter((object) => findDifference(object) !== undefined)).toEqual([]);
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '',
    'constructor',
    'toString',
    '\uFEFFbom',
    '\u0000',
    'é',
    '漢字',
    '😀',
    'x'.repeat(23),
    'y'.repeat(130),
  ),
);
const edges = [0, -0, 1, -1, 2 ** 31, 2 ** 53, -(2 ** 53), Number.MIN_VALUE, Number.MAX_VALUE, 0.1, Infinity, NaN];
const { value: json } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    text,
    fc.oneof(fc.double(), fc.constantFrom(...edges)),
    fc.constantFrom(null, true, false, undefined),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('object'),
  ),
  object: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    tie('value'),
    { maxKeys: 6 },
  ),
}));

test('10,000 generated values are read and written as by the SDK', () => {
  fc.assert(
    fc.property(json, (value) => findDifference({ value }) === undefined),
    { numRuns: 10_000 },
  );
});
