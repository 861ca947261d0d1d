import type { FunctionName } from '../functions/steps.ts';
import type { FleetRow } from './bench-fleet.ts';
import { fleetGoal, formatGoal, goalOf, isMet, startGoal } from './bench-goal.ts';
import type { Comparison, Figures } from './bench-measure.ts';
import type { Size } from './bench-requests.ts';

/** One function at one size, beside the echo and the raw bytes of the same requests. */
export interface Cell extends Comparison {
  readonly function: FunctionName;
  readonly size: Size;
}

/** The bundle at the moment when it listens. */
export interface Start {
  /** Milliseconds from the start of the process until then. */
  readonly startToListenMs: number;
  /** CPU milliseconds of it, all threads. */
  readonly startCpuMs: number;
  /** Resident memory then, in millions of bytes. */
  readonly rssMb: number;
}

export interface BenchResult extends Start {
  readonly cells: readonly Cell[];
  readonly fleet: readonly FleetRow[];
}

/** The result as one JSON document; times in milliseconds with three decimals. */
export function formatJson({ cells, fleet, startToListenMs, startCpuMs, rssMb }: BenchResult): string {
  const beside = (server: 'echo' | 'raw') =>
    cells.map((cell) => ({ server, function: cell.function, size: cell.size, ...roundAll({ ...cell[server] }) }));
  const runFunction = cells.map(({ function: name, size, subject, p50RatioToEcho, cpuMsRatioToEcho }) => ({
    function: name,
    size,
    ...roundAll({ ...subject, p50RatioToEcho, cpuMsRatioToEcho }),
  }));
  const document = {
    reference: [...beside('echo'), ...beside('raw')],
    runFunction,
    fleet: fleet.map((row) => roundAll({ ...row })),
    ...roundAll({ startToListenMs, startCpuMs, rssMb }),
  };
  return JSON.stringify(document, null, 2);
}

type Column = readonly [title: string, read: (cell: Cell) => string];

function figure(title: string, read: (cell: Cell) => number, digits = 2): Column {
  return [title, (cell) => read(cell).toFixed(digits)];
}

function ofSubject(title: string, field: keyof Figures, digits = 2): Column {
  return figure(title, ({ subject }) => subject[field], digits);
}

/** Columns of words, to the left, before and after the figures. */
const words = { before: 2, after: 2 };
const columns: readonly Column[] = [
  ['FUNCTION', (cell) => cell.function],
  ['SIZE', (cell) => cell.size],
  ofSubject('P50 MS', 'p50Ms'),
  ofSubject('P99 MS', 'p99Ms'),
  ofSubject('CPU MS', 'cpuMs'),
  ofSubject('LEAST', 'leastCpuMs'),
  ofSubject('P50 16', 'p50MsOf16'),
  ofSubject('CPU 16', 'cpuMsOf16'),
  ofSubject('PER S', 'perSecond', 0),
  ofSubject('PEAK MB', 'peakRssMb', 0),
  figure('ECHO CPU', ({ echo }) => echo.cpuMs),
  figure('ECHO LEAST', ({ echo }) => echo.leastCpuMs),
  figure('RAW CPU', ({ raw }) => raw.cpuMs),
  figure('CPU X', ({ cpuMsRatioToEcho }) => cpuMsRatioToEcho),
  ['GOAL', (cell) => formatGoal(goalOf(cell.function, cell.size))],
  ['MET', (cell) => yesNo(isMet(goalOf(cell.function, cell.size), cell))],
];

/** The result as text, with the goal of each row and whether it is met. */
export function formatTable(result: BenchResult): string {
  const { cells, fleet, startToListenMs, startCpuMs, rssMb } = result;
  const missed = cells.filter((cell) => !isMet(goalOf(cell.function, cell.size), cell)).length;
  const isLight = startCpuMs <= startGoal.cpuMs && rssMb <= startGoal.rssMb;
  return [
    ...formatRows([columns.map(([title]) => title), ...cells.map((cell) => columns.map(([, read]) => read(cell)))]),
    '',
    `${cells.length - missed} of ${cells.length} goals of CPU time met. X is the ratio to the echo, the median of the rounds.`,
    ...fleet.map(formatFleet),
    ...linearity(fleet),
    `The bundle listens after ${startToListenMs.toFixed(0)} ms and ${startCpuMs.toFixed(0)} CPU ms with ${rssMb.toFixed(0)} MB resident (medians of 5 starts); goal ${startGoal.cpuMs} CPU ms and ${startGoal.rssMb} MB: ${yesNo(isLight)}.`,
  ].join('\n');
}

function formatFleet(row: FleetRow): string {
  const { clusters, replicas, cpuMs, leastCpuMs, bytes } = row;
  const goal = fleetGoal(row);
  const verdict = goal === undefined ? '' : `; goal ${goal}: ${yesNo(cpuMs <= goal)}`;
  return `A fleet of ${clusters} clusters and ${replicas} replicas costs ${cpuMs.toFixed(2)} CPU ms, at least ${leastCpuMs.toFixed(2)}, in ${(bytes / 1000).toFixed(0)} kB${verdict}.`;
}

/** The largest fleet against twenty of the one before: what it costs may not grow faster than it does. */
function linearity(fleet: readonly FleetRow[]): readonly string[] {
  const [small, large] = fleet.slice(-2);
  if (small === undefined || large === undefined || large.bytes <= small.bytes) return [];
  const growth = large.cpuMs / small.cpuMs / (large.bytes / small.bytes);
  return [
    `Byte for byte the last fleet costs ${growth.toFixed(2)} times the one before; goal 1.3: ${yesNo(growth <= 1.3)}.`,
  ];
}

function formatRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
}

/** Words to the left, figures to the right. */
function pad(text: string, width: number, column: number): string {
  const isWord = column < words.before || column >= columns.length - words.after;
  return isWord ? text.padEnd(width) : text.padStart(width);
}

function yesNo(is: boolean): string {
  return is ? 'yes' : 'no';
}

function roundAll(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(3))]));
}
