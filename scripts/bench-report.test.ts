import { expect, test } from 'vitest';
import { goalOf, isMet } from './bench-goal.ts';
import { type Comparison, compareRounds } from './bench-measure.ts';
import { type Cell, formatJson, formatTable } from './bench-report.ts';
import { median, percentile } from './bench-statistics.ts';

const of16 = { p50MsOf16: 8, cpuMsOf16: 0.5 };
const figures = { p50Ms: 1, p99Ms: 9, cpuMs: 1, leastCpuMs: 0.75, perSecond: 900, ...of16, peakRssMb: 120 };
const equal: Comparison = { subject: figures, echo: figures, raw: figures, p50RatioToEcho: 1, cpuMsRatioToEcho: 1 };
const cell: Cell = { ...equal, function: 'placement', size: '6kB' };

test('percentile takes the nearest rank, and median the mean of two middles', () => {
  const samples = [5, 1, 4, 2, 3, 10];
  expect([percentile(samples, 50), percentile(samples, 99), median(samples), median([7])]).toEqual([3, 10, 3.5, 7]);
  expect(percentile([], 50)).toBeNaN();
});

test('compareRounds takes each ratio within a round, so that a machine that slows down changes none', () => {
  const round = (ms: number) => ({ samples: [ms, ms, ms * 3], wallMs: ms * 10, cpuMs: ms, peakRssMb: 100 + ms });
  const alone = { subject: [2, 20, 4].map(round), echo: [1, 10, 2].map(round), raw: [1].map(round) };
  const atOnce = { subject: [5, 50, 6].map(round), echo: [3, 30, 4].map(round), raw: [1].map(round) };
  expect(compareRounds(alone, atOnce)).toEqual({
    subject: {
      p50Ms: 6,
      p99Ms: 60,
      cpuMs: 4,
      leastCpuMs: 2,
      perSecond: 50,
      p50MsOf16: 15,
      cpuMsOf16: 6,
      peakRssMb: 150,
    },
    echo: {
      p50Ms: 3,
      p99Ms: 30,
      cpuMs: 2,
      leastCpuMs: 1,
      perSecond: 75,
      p50MsOf16: 9,
      cpuMsOf16: 4,
      peakRssMb: 130,
    },
    raw: {
      p50Ms: 1,
      p99Ms: 3,
      cpuMs: 1,
      leastCpuMs: 1,
      perSecond: 300,
      p50MsOf16: 1,
      cpuMsOf16: 1,
      peakRssMb: 101,
    },
    p50RatioToEcho: 2,
    cpuMsRatioToEcho: 2,
  });
});

const goals: readonly [string, Partial<Cell>, boolean][] = [
  ['the CPU time is 0.3 times that of the echo at 2 MB', { size: '2MB', cpuMsRatioToEcho: 0.3 }, true],
  ['the CPU time is beyond 0.3 times that of the echo at 2 MB', { size: '2MB', cpuMsRatioToEcho: 0.31 }, false],
  ['the CPU time is that of the echo at 100 kB', { size: '100kB', cpuMsRatioToEcho: 1 }, true],
  ['the CPU time is beyond that of the echo at 100 kB', { size: '100kB', cpuMsRatioToEcho: 1.01 }, false],
  ['another function at 6 kB uses 1.5 times the CPU', { function: 'gateway', cpuMsRatioToEcho: 1.5 }, true],
  ['only the time is beyond that of the echo', { size: '100kB', p50RatioToEcho: 3 }, true],
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
  fleet: [
    { clusters: 5, replicas: 4, cpuMs: 1, leastCpuMs: 0.5, bytes: 30_000 },
    { clusters: 70, replicas: 80, cpuMs: 3, leastCpuMs: 2.5, bytes: 500_000 },
    { clusters: 1400, replicas: 1600, cpuMs: 80, leastCpuMs: 70, bytes: 10_000_000 },
  ],
  startToListenMs: 189.4,
  startCpuMs: 140.2,
  rssMb: 93.2,
};

test('formatJson has the fields that readers of the bench rely on', () => {
  const row = { size: '6kB', ...figures };
  expect(JSON.parse(formatJson(result))).toEqual({
    reference: [
      { server: 'echo', function: 'placement', ...row },
      { server: 'echo', function: 'gateway', ...row },
      { server: 'raw', function: 'placement', ...row },
      { server: 'raw', function: 'gateway', ...row },
    ],
    runFunction: [
      { function: 'placement', ...row, p50RatioToEcho: 1, cpuMsRatioToEcho: 1 },
      { function: 'gateway', ...row, p50RatioToEcho: 1, cpuMsRatioToEcho: 3 },
    ],
    fleet: result.fleet,
    startToListenMs: 189.4,
    startCpuMs: 140.2,
    rssMb: 93.2,
  });
});

test('formatTable shows each goal and whether it is met', () => {
  expect(formatTable(result)).toMatchInlineSnapshot(`
    "FUNCTION   SIZE  P50 MS  P99 MS  CPU MS  LEAST  P50 16  CPU 16  PER S  PEAK MB  ECHO CPU  ECHO LEAST  RAW CPU  CPU X  GOAL         MET
    placement  6kB     1.00    9.00    1.00   0.75    8.00    0.50    900      120      1.00        0.75     1.00   1.00  echo + 1 ms  yes
    gateway    6kB     1.00    9.00    1.00   0.75    8.00    0.50    900      120      1.00        0.75     1.00   3.00  1.5x         no

    1 of 2 goals of CPU time met. X is the ratio to the echo, the median of the rounds.
    A fleet of 5 clusters and 4 replicas costs 1.00 CPU ms, at least 0.50, in 30 kB.
    A fleet of 70 clusters and 80 replicas costs 3.00 CPU ms, at least 2.50, in 500 kB; goal 3.85: yes.
    A fleet of 1400 clusters and 1600 replicas costs 80.00 CPU ms, at least 70.00, in 10000 kB; goal 77: no.
    Byte for byte the last fleet costs 1.33 times the one before; goal 1.3: no.
    The bundle listens after 189 ms and 140 CPU ms with 93 MB resident (medians of 5 starts); goal 150 CPU ms and 80 MB: no."
  `);
});
