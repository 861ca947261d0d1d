/** Text in sections that reads well at a width: wrapped at spaces, with hanging indents, and without colour. */
import { breakText } from '../render/print-table.ts';

const indent = '  ';
/** Columns that the last cell of a table has at least, even where the width is too small for it. */
const leastLast = 24;

/** A section under its heading; nothing where it has no lines. */
export function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines];
}

/** One sentence as an item of a section: indented once, its further lines twice. */
export function item(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = breakText(text, width - 2 * indent.length);
  return [`${indent}${first}`, ...rest.map((line) => `${indent}${indent}${line}`)];
}

/** Rows of cells in aligned columns; the last cell wraps below itself. The first row may be a header. */
export function table(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const columns = (rows[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.flatMap((row) => {
    const left = widths.map((size, column) => `${(row[column] ?? '').padEnd(size)}${indent}`).join('');
    const start = `${indent}${left}`;
    const [first = '', ...rest] = breakText(row.at(-1) ?? '', Math.max(leastLast, width - start.length));
    return [`${start}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(start.length)}${line}`)];
  });
}

/** A long sentence from the margin, its further lines indented. */
export function paragraph(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = breakText(text, width - indent.length);
  return [first, ...rest.map((line) => `${indent}${line}`)];
}
