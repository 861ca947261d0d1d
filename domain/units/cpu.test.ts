import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CpuText, formatCpu } from './cpu.ts';

const texts: readonly [string, string, number | undefined][] = [
  ['it is whole cores', '4', 4000],
  ['it is millicores', '3920m', 3920],
  ['it is zero', '0', 0],
  ['it is a fraction of a core', '0.5', undefined],
  ['it is negative', '-1', undefined],
  ['it has another suffix', '4c', undefined],
  ['it is empty', '', undefined],
];

test.each(texts)('CpuText reads millicores or refuses when %s', (_name, text, expected) => {
  expect(CpuText.safeDecode(text).data).toBe(expected);
});

const amounts: readonly [string, number, string][] = [
  ['it is whole cores', 4000, '4'],
  ['it is not', 3920, '3920m'],
  ['it is zero', 0, '0'],
];

test.each(amounts)('formatCpu writes the shorter form when %s', (_name, millicores, expected) => {
  expect(formatCpu(millicores)).toBe(expected);
});

test('CpuText undoes what it wrote for every whole number of millicores', () => {
  fc.assert(
    fc.property(fc.nat(), (millicores) => {
      expect(CpuText.decode(CpuText.encode(millicores))).toBe(millicores);
    }),
  );
});
