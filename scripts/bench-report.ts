import type { FunctionName } from '../functions/steps.ts';
import { formatGoal, goalOf, isMet } from './bench-goal.ts';
import type { Comparison } from './bench-measure.ts';
import type { Size } from './bench-requests.ts';

/** One function at one size, beside the echo of the same requests. */
export interface Cell extends Comparison {
  readonly function: FunctionName;
  readonly size: Size;
}

export interface BenchResult {
  readonly cells: readonly Cell[];
  /** Milliseconds from the start of the bundle until it listens. */
  readonly startToListenMs: number;
  /** Resident memory of the bundle then, in millions of bytes. */
  readonly rssMb: number;
}

/** The result as one JSON document; times in milliseconds with three decimals. */
export function formatJson({ cells, startToListenMs, rssMb }: BenchResult): string {
  const reference = cells.map(({ function: name, size, echo }) => ({ function: name, size, ...roundAll({ ...echo }) }));
  const runFunction = cells.map(({ function: name, size, subject, p50RatioToEcho, cpuMsRatioToEcho }) => ({
    function: name,
    size,
    ...roundAll({ ...subject, p50RatioToEcho, cpuMsRatioToEcho }),
  }));
  return JSON.stringify({ reference, runFunction, ...roundAll({ startToListenMs, rssMb }) }, null, 2);
}

const header = [
  'FUNCTION',
  'SIZE',
  'P50 MS',
  'P99 MS',
  'CPU MS',
  'PER S',
  'ECHO P50',
  'ECHO CPU',
  'P50 X',
  'CPU X',
  'GOAL',
  'MET',
];

/** The result as a table with the goal of each row and whether it is met. */
export function formatTable({ cells, startToListenMs, rssMb }: BenchResult): string {
  const rows = [header, ...cells.map(toRow)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  const missed = cells.filter((cell) => !isMet(goalOf(cell.function, cell.size), cell)).length;
  return [
    ...lines,
    '',
    `${cells.length - missed} of ${cells.length} goals of CPU time met. X is the ratio to the echo, the median of the rounds.`,
    `The bundle listens after ${startToListenMs.toFixed(0)} ms with ${rssMb.toFixed(0)} MB resident (medians of 5 starts).`,
  ].join('\n');
}

function toRow(cell: Cell): readonly string[] {
  const { subject, echo } = cell;
  const goal = goalOf(cell.function, cell.size);
  return [
    cell.function,
    cell.size,
    ...[subject.p50Ms, subject.p99Ms, subject.cpuMs].map(formatFigure),
    subject.perSecond.toFixed(0),
    ...[echo.p50Ms, echo.cpuMs, cell.p50RatioToEcho, cell.cpuMsRatioToEcho].map(formatFigure),
    formatGoal(goal),
    isMet(goal, cell) ? 'yes' : 'no',
  ];
}

function formatFigure(value: number): string {
  return value.toFixed(2);
}

/** Words to the left, figures to the right. */
function pad(text: string, width: number, column: number): string {
  const isWord = column < 2 || column >= header.length - 2;
  return isWord ? text.padEnd(width) : text.padStart(width);
}

function roundAll(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(3))]));
}
