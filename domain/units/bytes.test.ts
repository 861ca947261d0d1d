import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BytesText, formatBytes, gib, inGib, mib, parseBytes, roundGib } from './bytes.ts';

const quantities: readonly [string, string, number | undefined][] = [
  ['it has a binary suffix', '80Gi', 85_899_345_920],
  ['it has a decimal suffix', '80G', 80_000_000_000],
  ['it has no suffix', '1536', 1536],
  ['it has a fraction', '1.5Gi', 1_610_612_736],
  ['it is zero', '0', 0],
  ['it is in Ti', '2Ti', 2_199_023_255_552],
  ['it is empty', '', undefined],
  ['it is negative', '-1Gi', undefined],
  ['the unit is no Kubernetes suffix', '80GB', undefined],
  ['the suffix is in the wrong case', '80gi', undefined],
  ['a space stands before the suffix', '80 Gi', undefined],
  ['there is only a suffix', 'Gi', undefined],
  ['the fraction is not finished', '1.Gi', undefined],
];

test.each(quantities)('parseBytes reads a quantity or says that it is none when %s', (_name, text, expected) => {
  expect(parseBytes(text)).toBe(expected);
});

const formatted: readonly [string, number, string][] = [
  ['it is whole Gi', 23 * gib, '23Gi'],
  ['it is whole Mi', 22_559 * mib, '22559Mi'],
  ['it is whole Ki', 3 * 1024, '3Ki'],
  ['it is whole Ti, which is shorter than Gi', 1024 * gib, '1Ti'],
  ['no suffix is exact', 1000, '1000'],
  ['it is zero', 0, '0'],
];

test.each(formatted)('formatBytes writes the shortest exact quantity when %s', (_name, bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});

test('parseBytes undoes formatBytes for every whole number', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (bytes) => {
      expect(parseBytes(formatBytes(bytes))).toBe(bytes);
    }),
  );
});

const suffixes = ['', 'k', 'Ki', 'M', 'Mi', 'G', 'Gi', 'T', 'Ti'] as const;

test('parseBytes keeps the order of amounts and of suffixes', () => {
  const amount = fc.integer({ min: 1, max: 8000 });
  fc.assert(
    fc.property(amount, amount, fc.nat({ max: suffixes.length - 2 }), (left, right, index) => {
      const suffix = suffixes[index] ?? '';
      const read = [parseBytes(`${left}${suffix}`) ?? 0, parseBytes(`${right}${suffix}`) ?? 0] as const;
      expect(Math.sign(read[0] - read[1])).toBe(Math.sign(left - right));
      expect(parseBytes(`${left}${suffixes[index + 1] ?? ''}`)).toBeGreaterThan(read[0]);
    }),
  );
});

const refused = ['80GB', '-1Gi', '', '1e3Gi', ' 1Gi'];

test.each(refused)('BytesText refuses "%s"', (text) => {
  expect(BytesText.safeDecode(text).success).toBe(false);
});

test('BytesText is a text for people and a number for code', () => {
  expect([BytesText.decode('22559Mi'), BytesText.encode(22_559 * mib)]).toEqual([22_559 * mib, '22559Mi']);
});

test('inGib and roundGib round to tenths and hundredths of a GiB', () => {
  expect([inGib(22_559 * mib), roundGib(22_559 * mib), roundGib(0.004 * gib)]).toEqual(['22.0', 22.03, 0]);
});
