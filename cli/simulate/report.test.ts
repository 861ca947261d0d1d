import { expect, test } from 'vitest';
import { drawChart } from './draw-chart.ts';
import type { Outcome } from './play-world.ts';
import { ours } from './policies/ours.ts';
import { weightedPools } from './policies/weighted-pools.ts';
import { printPage } from './print-page.ts';
import { printReport } from './print-report.ts';
import { formatJson, makeReport } from './report.ts';

const outcome = { seed: 1, lost: 0, givenUpBooting: 0, breachMinutes: 0, outageMinutes: 0, usdBeyondNeed: 0 };

function outcomes(policy: Outcome['policy'], served: readonly (number | undefined)[], set: Partial<Outcome> = {}) {
  return served.map((servedAt, index): Outcome => {
    const seen = servedAt === undefined ? {} : { servedAt };
    return { ...outcome, policy, seed: index + 1, ...seen, ...(index === 0 ? set : {}) };
  });
}

const report = makeReport({
  outcomes: new Map([
    [ours, outcomes('ours', [12, 14, 30, 100], { createAtZeroMinutes: 2, usdBeyondNeed: 2 })],
    [weightedPools, outcomes('weighted-pools', [10, 11, 10, undefined], { lost: 1, breachMinutes: 3 })],
  ]),
  description: 'Four worlds',
  firstSeed: 1,
  horizonMinutes: 1440,
});

test('the JSON has the figures of every policy, and a world that was never served counts as the horizon', () => {
  expect(JSON.parse(formatJson(report))).toEqual({
    policies: [
      {
        policy: 'ours',
        timeToServingMinutes: { median: 14, p90: 100 },
        createAtZeroMinutes: 2,
        instancesLost: 0,
        budgetBreaches: 0,
        neverServedShare: 0,
        usdBeyondNeed: 0.5,
      },
      {
        policy: 'weighted-pools',
        timeToServingMinutes: { median: 10, p90: 1440 },
        createAtZeroMinutes: 0,
        instancesLost: 1,
        budgetBreaches: 1,
        neverServedShare: 0.25,
        usdBeyondNeed: 0,
      },
    ],
  });
});

test('the table says where a simpler policy wins by more than creating at zero costs', () => {
  expect(report.wins).toEqual([{ policy: 'weighted-pools', worlds: 2, medianMinutes: 3 }]);
  expect(printReport(report)).toContain(
    'weighted-pools was sooner than ours by more than AT ZERO in 2 of 4 worlds, by 3 minutes in their median.',
  );
});

test('the picture has a line for each policy that ends at the share that was served', () => {
  const chart = drawChart(report);
  expect(chart.match(/<path /g)).toHaveLength(2);
  // The axis runs from 350 (nothing) to 30 (all): three of four are at 110.
  const ends = [...chart.matchAll(/V(\d+\.\d)" fill/g)].map(([, end]) => end);
  expect(ends.sort()).toEqual(['110.0', '30.0']);
  expect(printPage(report)).toContain(chart);
});
