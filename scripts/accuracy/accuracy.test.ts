import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCases } from '../../cli/fit/read-cases.ts';
import { listWorse, type Recorded } from './list-worse.ts';
import { judgeAll, quantile, wilson } from './measure.ts';
import { summarise } from './summarise.ts';
import { writeReport } from './write-report.ts';

const root = join(import.meta.dirname, '../..');
const judged = judgeAll(readCases(join(root, 'test/fit/cases.jsonl')));
const recorded = JSON.parse(readFileSync(join(root, 'test/fit/accuracy.json'), 'utf8')) as Recorded;

test('L16 no figure of the accuracy is worse than recorded', () => {
  expect(listWorse(summarise(judged), recorded.figures)).toEqual([]);
});

test('the published page is what the figures are now', async () => {
  await expect(writeReport(judged, recorded.reasons)).toMatchFileSnapshot(join(root, 'docs/accuracy.md'));
});

test('every row that is wrong is explained', () => {
  expect(writeReport(judged, recorded.reasons)).not.toContain('not explained');
});

const figures: readonly [string, number, number, 'less' | 'more', boolean][] = [
  ['an error grew', 0.02, 0.03, 'less', true],
  ['an error shrank', 0.03, 0.02, 'less', false],
  ['a share fell', 0.9, 0.8, 'more', true],
  ['a share rose', 0.8, 0.9, 'more', false],
  ['nothing changed', 0.5, 0.5, 'less', false],
];

test.each(figures)('listWorse says so only when it is worse: %s', (_name, before, value, better, isWorse) => {
  expect(listWorse({ x: { value, goal: 0, better } }, { x: before }).length > 0).toBe(isWorse);
});

test('listWorse names a figure that was never recorded', () => {
  expect(listWorse({ x: { value: 1, goal: 0, better: 'less' } }, {})).toEqual([
    'Not recorded: "x" is 1; run npm run accuracy -- --update',
  ]);
});

test('an interval holds the share, and narrows with the number of starts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (total, some) => {
      const hits = some % (total + 1);
      const [least, most] = wilson(hits, total);
      expect(least <= hits / total + 1e-9 && most >= hits / total - 1e-9 && least >= 0 && most <= 1).toBe(true);
    }),
  );
  const width = (total: number) => wilson(total / 2, total)[1] - wilson(total / 2, total)[0];
  expect(width(400)).toBeLessThan(width(40));
});

test('a quantile of none is no number, and of one is that one', () => {
  expect([quantile([], 0.5), quantile([7], 0.9), quantile([3, 1, 2], 0.5)]).toEqual([Number.NaN, 7, 2]);
});
