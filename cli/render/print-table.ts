import type { ClaimReport } from './describe-claims.ts';
import type { Row } from './describe-xr.ts';

/** Reports as text: a title, a table and notes for each, wrapped at a width. */
export function printReports(reports: readonly ClaimReport[], width: number): string {
  return `${reports.map((report) => printReport(report, width)).join('\n\n')}\n`;
}

const header: Row = { resource: 'RESOURCE', kind: 'KIND', state: 'STATE', why: 'WHY' };
type Columns = Readonly<Record<'resource' | 'kind' | 'state', number>>;

function printReport(report: ClaimReport, width: number): string {
  const rows = foldCreated(report.rows);
  const columns = columnWidths(rows);
  const table = rows.length === 0 ? [] : [header, ...rows].flatMap((row) => printRow(row, columns, width));
  return [wrap(report.title, width), ...table, ...report.notes.map((note) => wrap(note, width))].join('\n');
}

/**
 * Rows of which nothing more is to be said than that they are composed become one, with their kinds counted; what a
 * person looks for first stays in sight.
 */
function foldCreated(rows: readonly Row[]): readonly Row[] {
  const created = rows.filter((row) => row.state === 'Created');
  if (created.length < 2) return rows;
  const counts = new Map<string, number>();
  for (const { kind } of created) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  const why = kinds.map(([kind, count]) => (count === 1 ? kind : `${count} ${kind}`)).join(', ');
  const folded: Row = { resource: `${created.length} more`, kind: '', state: 'Created', why };
  return [...rows.filter((row) => row.state !== 'Created'), folded];
}

function columnWidths(rows: readonly Row[]): Columns {
  const widest = (field: keyof Columns) => Math.max(...[header, ...rows].map((row) => row[field].length)) + 2;
  return { resource: widest('resource'), kind: widest('kind'), state: widest('state') };
}

function printRow(row: Row, columns: Columns, width: number): readonly string[] {
  const left = row.resource.padEnd(columns.resource) + row.kind.padEnd(columns.kind) + row.state.padEnd(columns.state);
  const [first = '', ...rest] = breakText(row.why, Math.max(30, width - left.length));
  return [`${left}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(left.length)}${line}`)];
}

/** Continuation lines are indented, so that a wrapped title is no row. */
const indent = 2;

function wrap(text: string, width: number): string {
  return breakText(text, width - indent).join(`\n${' '.repeat(indent)}`);
}

/** Breaks text at spaces into lines of at most the given length; a longer word stays whole, runs of spaces are kept. */
export function breakText(text: string, length: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )(?=\S)/)) {
    if (line !== '' && (line + word).trimEnd().length > length) {
      lines.push(line.trimEnd());
      line = word;
    } else line += word;
  }
  return [...lines, line.trimEnd()];
}
