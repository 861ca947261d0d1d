import type { Report } from './report.ts';

const headers = ['POLICY', 'MEDIAN', 'P90', 'AT ZERO', 'LOST', 'BOOTING', 'OVER BUDGET', 'NEVER SERVED', 'USD BEYOND'];

/** A simulation as a table, with what the columns mean and where a simpler policy wins. */
export function printReport(report: Report): string {
  const rows = rowsOf(report);
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  const count = report.worlds === 1 ? '1 world' : `${report.worlds} worlds from seed ${report.firstSeed}`;
  return [
    `${report.description}: ${count}, ${report.horizonMinutes} minutes each`,
    '',
    line(headers),
    ...rows.map(line),
    '',
    ...legend,
    ...report.wins.map(sayWins(report.worlds)),
    '',
  ].join('\n');
}

/** The table of a report as cells. */
export function rowsOf({ figures, details }: Report): readonly (readonly string[])[] {
  return figures.map((row, index) => [
    row.policy,
    String(row.timeToServingMinutes.median),
    String(row.timeToServingMinutes.p90),
    String(row.createAtZeroMinutes),
    String(row.instancesLost),
    String(details[index]?.givenUpBooting ?? 0),
    String(row.budgetBreaches),
    `${(100 * row.neverServedShare).toFixed(1)}%`,
    row.usdBeyondNeed.toFixed(2),
  ]);
}

/** What the columns mean. */
const legend: readonly string[] = [
  'MEDIAN, P90: minutes from the claim until the engine answers; never counts as the whole time.',
  'AT ZERO: minutes until the first request for an instance, where a node group is created at zero and raised.',
  'LOST: instances that a policy knew it had and ended while nothing else served. BOOTING: those that it gave up',
  'before their node could be seen. OVER BUDGET: worlds with a minute in which what ran and was asked for cost more.',
  'USD BEYOND: mean dollars a world for instances that did not serve.',
];

/** In words how often another policy was sooner. */
export function sayWins(worlds: number): (wins: Report['wins'][number]) => string {
  return ({ policy, worlds: won, medianMinutes }) =>
    won === 0
      ? `${policy} was never sooner than ours by more than AT ZERO.`
      : `${policy} was sooner than ours by more than AT ZERO in ${won} of ${worlds} worlds, by ${medianMinutes} minutes in their median.`;
}
