import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCases } from '../../cli/fit/read-cases.ts';
import { cutInHalves } from './halves.ts';
import { judgeAll } from './measure.ts';

const judged = judgeAll(readCases(join(import.meta.dirname, '../../test/fit/cases.jsonl')));
const { decidedOn, heldBack } = cutInHalves(judged);

test('each start stands in one half, and the halves are about as large', () => {
  expect(decidedOn.length + heldBack.length).toBe(judged.length);
  expect(Math.abs(decidedOn.length - heldBack.length)).toBeLessThan(judged.length / 5);
});

test('rows of one repository never stand on both sides', () => {
  const repositories = (half: typeof judged) => new Set(half.map(({ logged }) => logged.source?.split(':')[0]));
  const first = repositories(decidedOn);
  expect([...repositories(heldBack)].filter((repository) => first.has(repository))).toEqual([]);
});
