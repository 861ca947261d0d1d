import { expect, test } from 'vitest';
import { goalOf, isMet } from './bench-goal.ts';
import { type Comparison, compareRounds } from './bench-measure.ts';
import { type Cell, formatJson, formatTable } from './bench-report.ts';
import { median, percentile } from './bench-statistics.ts';

const figures = { p50Ms: 1, p99Ms: 9, cpuMs: 1, perSecond: 900 };
const equal: Comparison = { subject: figures, echo: figures, p50RatioToEcho: 1, cpuMsRatioToEcho: 1 };
const cell: Cell = { ...equal, function: 'placement', size: '6kB' };

test('percentile takes the nearest rank, and median the mean of two middles', () => {
  const samples = [5, 1, 4, 2, 3, 10];
  expect([percentile(samples, 50), percentile(samples, 99), median(samples), median([7])]).toEqual([3, 10, 3.5, 7]);
  expect(percentile([], 50)).toBeNaN();
});

test('compareRounds takes each ratio within a round, so that a machine that slows down changes none', () => {
  const round = (ms: number) => ({ samples: [ms, ms, ms * 3], cpuMs: ms });
  const measured = { subject: [2, 20, 4].map(round), echo: [1, 10, 2].map(round) };
  expect(compareRounds(measured, { subject: [500, 50, 250], echo: [1000, 100, 500] })).toEqual({
    subject: { p50Ms: 6, p99Ms: 60, cpuMs: 4, perSecond: 250 },
    echo: { p50Ms: 3, p99Ms: 30, cpuMs: 2, perSecond: 500 },
    p50RatioToEcho: 2,
    cpuMsRatioToEcho: 2,
  });
});

const goals: readonly [string, Partial<Cell>, boolean][] = [
  ['the CPU time is 1.5 times that of the echo', { size: '2MB', cpuMsRatioToEcho: 1.5 }, true],
  ['the CPU time is beyond 1.5 times that of the echo', { size: '2MB', cpuMsRatioToEcho: 1.51 }, false],
  ['only the time is beyond 1.5 times that of the echo', { size: '2MB', p50RatioToEcho: 3 }, true],
  [
    'a small placement uses 3 times the CPU but not 1 ms more',
    { subject: { ...figures, cpuMs: 2 }, cpuMsRatioToEcho: 3 },
    true,
  ],
  ['a small placement uses over 1 ms of CPU more', { subject: { ...figures, cpuMs: 2.1 } }, false],
  ['another function at 6 kB uses 3 times the CPU', { function: 'gateway', cpuMsRatioToEcho: 3 }, false],
];

test.each(goals)('isMet tells when %s', (_name, change, met) => {
  const found = { ...cell, ...change };
  expect(isMet(goalOf(found.function, found.size), found)).toBe(met);
});

const result = {
  cells: [cell, { ...cell, function: 'gateway' as const, cpuMsRatioToEcho: 3 }],
  startToListenMs: 189.4,
  rssMb: 93.2,
};

test('formatJson has the fields that readers of the bench rely on', () => {
  const row = { size: '6kB', ...figures };
  expect(JSON.parse(formatJson(result))).toEqual({
    reference: [
      { function: 'placement', ...row },
      { function: 'gateway', ...row },
    ],
    runFunction: [
      { function: 'placement', ...row, p50RatioToEcho: 1, cpuMsRatioToEcho: 1 },
      { function: 'gateway', ...row, p50RatioToEcho: 1, cpuMsRatioToEcho: 3 },
    ],
    startToListenMs: 189.4,
    rssMb: 93.2,
  });
});

test('formatTable shows each goal and whether it is met', () => {
  expect(formatTable(result)).toBe(
    [
      'FUNCTION   SIZE  P50 MS  P99 MS  CPU MS  PER S  ECHO P50  ECHO CPU  P50 X  CPU X  GOAL         MET',
      'placement  6kB     1.00    9.00    1.00    900      1.00      1.00   1.00   1.00  echo + 1 ms  yes',
      'gateway    6kB     1.00    9.00    1.00    900      1.00      1.00   1.00   3.00  1.5x         no',
      '',
      '1 of 2 goals of CPU time met. X is the ratio to the echo, the median of the rounds.',
      'The bundle listens after 189 ms with 93 MB resident (medians of 5 starts).',
    ].join('\n'),
  );
});
