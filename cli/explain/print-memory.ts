import type { ExplainedMemory, ExplainedTerm } from './explain-memory.ts';
import { item, section, table } from './layout.ts';
import { splitBar } from './split-bar.ts';

/** The shares of an accelerator in the order of the bar, each with its letter. */
const shares: readonly (readonly [ExplainedTerm['name'], string, string])[] = [
  ['weights', 'weights', 'W'],
  ['activation', 'activation', 'A'],
  ['nonTorch', 'non-torch', 'N'],
  ['graphs', 'CUDA graphs', 'G'],
  ['kvCache', 'KV cache', 'K'],
  ['headroom', 'headroom', '.'],
];
/** What is left where the terms do not fill the accelerator. */
const unclaimed = '-';

/** The memory of one accelerator: what it comes to, a bar as wide as the text, and each term with its origin. */
export function printMemory(memory: ExplainedMemory, width: number): readonly string[] {
  const heading = `Memory of each ${memory.accelerator}, ${memory.shape} of class "${memory.class}"`;
  const verdict = sayVerdict(memory);
  if (memory.verdict === 'Unsupported') return section(heading, item(verdict, width));
  const bar = printBar(memory.terms, width);
  return section(heading, [
    ...item(verdict, width),
    ...bar,
    ...table(
      shares.map((share) => printTerm(share, memory.terms)),
      width,
    ),
    ...item(sayTotal(memory), width),
    ...memory.warnings.flatMap((warning) => item(`Warning: ${warning}`, width)),
  ]);
}

function sayVerdict(memory: ExplainedMemory): string {
  const { verdict, missing, shortfallGib = 0, kvTokens, concurrency = 0, contextTokens } = memory;
  if (verdict === 'Unsupported') return `Unknown: ${missing.join(', ')}; state it in the claim`;
  if (verdict === 'Misfit')
    return shortfallGib === 0
      ? 'Misfit, though the accelerator has room; the refusal says what else is missing'
      : `Misfit: short by ${shortfallGib.toFixed(2)} GiB for one request of ${contextTokens} tokens`;
  const kind = memory.tight ? 'Fits, tight' : 'Fits';
  return `${kind}: ${kvTokens} tokens of KV cache, ${concurrency.toFixed(1)} requests of ${contextTokens} tokens at once`;
}

function gibOf(terms: readonly ExplainedTerm[], name: ExplainedTerm['name']): number {
  return terms.find((term) => term.name === name)?.gib ?? 0;
}

/** The bar between its brackets; one wider than the accelerator shows by a mark where its memory ends. */
export function printBar(terms: readonly ExplainedTerm[], width: number): readonly string[] {
  const amounts = shares.map(([name]) => Math.max(0, gibOf(terms, name)));
  const claimed = amounts.reduce((sum, amount) => sum + amount, 0);
  const visible = gibOf(terms, 'visible');
  // Terms are rounded to hundredths, so that a rest of that size is none.
  const rest = visible - claimed > 0.05 ? visible - claimed : 0;
  const length = Math.max(shares.length + 1, width - '  []'.length);
  const letters = [...shares.map(([, , letter]) => letter), unclaimed];
  const bar = splitBar([...amounts, rest], length).map((columns, index) => (letters[index] ?? '').repeat(columns));
  const drawn = `  [${bar.join('')}]`;
  return claimed - visible > 0.05 ? [drawn, markEnd('  ['.length + Math.round((visible / claimed) * length))] : [drawn];
}

const endOfMemory = 'end of memory';

/** A mark at a column, with its words on the side that has room. */
function markEnd(column: number): string {
  const words = `${endOfMemory} ^`;
  return column >= words.length ? words.padStart(column + 1) : `${' '.repeat(column)}^ ${endOfMemory}`;
}

function printTerm([name, word, letter]: (typeof shares)[number], terms: readonly ExplainedTerm[]): readonly string[] {
  const term = terms.find((candidate) => candidate.name === name);
  const figure = (term?.gib ?? 0).toFixed(2).padStart(7);
  return [`${letter} ${word}`, `${figure} GiB`, sayOrigin(term)];
}

function sayOrigin(term: ExplainedTerm | undefined): string {
  if (term === undefined) return 'not counted for this engine';
  return term.source === undefined ? term.origin : `${term.origin}: ${term.source}`;
}

function sayTotal({ terms }: ExplainedMemory): string {
  const requested = terms.find((term) => term.name === 'requested');
  const visible = gibOf(terms, 'visible').toFixed(2);
  const asked = gibOf(terms, 'requested').toFixed(2);
  return `The engine sees ${visible} GiB (hardware) and takes ${asked} GiB of it (${sayOrigin(requested)})`;
}
