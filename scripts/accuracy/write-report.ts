import { cutInHalves } from './halves.ts';
import {
  type Difference,
  differences,
  type Figure,
  type Judged,
  outcomeOf,
  quantile,
  saidOf,
  wilson,
} from './measure.ts';
import { type Confusion, confusion, relativeOf, summarise } from './summarise.ts';

/** The page that publishes the errors, with the rows that are wrong. */
export function writeReport(judged: readonly Judged[], reasons: Readonly<Record<string, string>>): string {
  return [
    '# How right the fit is',
    '',
    `Measured on ${judged.length} starts of engines in public logs (\`test/fit/cases.jsonl\`, each with its source; read 2026-12-01).`,
    'Written by `npm run accuracy`, which fails when a figure gets worse. Every formula has its source in the code; no figure',
    'serves one row. Rows on which a figure of the formula was set are counted apart as "set" and "not set". Since 2026-12-02',
    'choices are made on one half of the starts (`scripts/accuracy/halves.ts`, cut by source), and both halves are shown.',
    '',
    '## Goals',
    '',
    ...goalTable(judged),
    '',
    '## Errors by attention family',
    '',
    'Median / 90th percentile (rows). Tokens: from the logged KV GiB. KV GiB: from memory, flags and the logged weights, pools',
    'of 2 GiB and more. Weights: from the files.',
    '',
    ...familyTable(judged),
    '',
    '## Verdicts',
    '',
    ...confusionTable(confusion(judged)),
    '',
    '## Rows that are wrong, and why',
    '',
    ...wrongRows(judged, reasons),
    '',
  ].join('\n');
}

function percent(value: number): string {
  return Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)}%`;
}

function goalTable(judged: readonly Judged[]): readonly string[] {
  const halves = cutInHalves(judged);
  const [decidedOn, heldBack] = [summarise(halves.decidedOn), summarise(halves.heldBack)];
  const rows = Object.entries(summarise(judged)).map(([name, { value, goal, better }]) => {
    const isReached = better === 'less' ? value <= goal : value >= goal;
    const show = name.includes('GiB, all') ? (number: number) => number.toFixed(2) : percent;
    const bound = better === 'less' ? 'at most' : 'at least';
    const cells = [decidedOn, heldBack].map((half) => show(half[name]?.value ?? Number.NaN)).join(' | ');
    return `| ${name} | ${show(value)} | ${cells} | ${bound} ${show(goal)} | ${isReached ? 'reached' : 'missed'} |`;
  });
  return ['| figure | measured | decided on | held back | goal | |', '|---|---|---|---|---|---|', ...rows];
}

const columns: readonly (readonly [string, Figure])[] = [
  ['tokens', 'tokens'],
  ['KV GiB', 'kv'],
  ['weights', 'weights'],
];

function familyTable(judged: readonly Judged[]): readonly string[] {
  const all = columns.map(([, figure]) =>
    differences(judged, figure).filter((one) => figure !== 'kv' || one.absolute / one.relative >= 2),
  );
  const families = [...new Set(all.flat().map((one) => one.family))].sort();
  const rows = [...families, 'all', 'all, set', 'all, not set'].map(
    (family) => `| ${family} | ${all.map((figure) => cell(figure.filter(inRow(family)))).join(' | ')} |`,
  );
  return [`| family | ${columns.map(([name]) => name).join(' | ')} |`, '|---|---|---|---|', ...rows];
}

function inRow(family: string): (one: Difference) => boolean {
  if (family === 'all') return () => true;
  if (family === 'all, set') return (one) => one.setsConstant;
  if (family === 'all, not set') return (one) => !one.setsConstant;
  return (one) => one.family === family;
}

function cell(rows: readonly Difference[]): string {
  const errors = relativeOf(rows);
  return errors.length === 0
    ? '-'
    : `${percent(quantile(errors, 0.5))} / ${percent(quantile(errors, 0.9))} (${errors.length})`;
}

function confusionTable(counts: Confusion): readonly string[] {
  const said = ['Comfortable', 'Tight', 'Misfit', 'Nothing'] as const;
  const rows = Object.entries(counts).map(([outcome, row]) => {
    const judged = row.Comfortable + row.Tight + row.Misfit;
    const cells = said.map((one) => (one === 'Nothing' ? `${row[one]}` : `${row[one]}${interval(row[one], judged)}`));
    return `| ${outcome} | ${cells.join(' | ')} |`;
  });
  return [
    'What was said of what became of each start; in brackets the 95% interval of the share of the judged ones.',
    '',
    `| became | ${said.join(' | ')} |`,
    '|---|---|---|---|---|',
    ...rows,
  ];
}

function interval(hits: number, total: number): string {
  const [least, most] = wilson(hits, total);
  return ` (${(100 * least).toFixed(0)} to ${(100 * most).toFixed(0)}%)`;
}

interface Fault {
  readonly id: string;
  readonly text: string;
}

function listFaults(judged: readonly Judged[]): readonly Fault[] {
  const over = (figure: Figure, isWrong: (one: Difference) => boolean, text: (one: Difference) => string) =>
    differences(judged, figure)
      .filter(isWrong)
      .map((one) => ({ id: one.id, text: text(one) }));
  return [
    ...over(
      'tokens',
      (one) => one.relative > 0.01,
      (one) => `tokens ${percent(one.relative)}`,
    ),
    ...over(
      'kv',
      (one) => one.absolute > 1.2,
      (one) => `KV ${one.absolute.toFixed(2)} GiB`,
    ),
    ...over(
      'weights',
      (one) => one.relative > 0.025,
      (one) => `weights ${percent(one.relative)}`,
    ),
    ...judged.flatMap(wrongVerdict),
  ];
}

function wrongVerdict({ logged, answer }: Judged): readonly Fault[] {
  const [outcome, said] = [outcomeOf(logged), saidOf(answer)];
  const promised = said === 'Comfortable' || said === 'Tight';
  if (outcome === 'FailedToStart' && promised) return [{ id: logged.id, text: `failed, said ${said}` }];
  return outcome === 'Served' && said === 'Misfit' ? [{ id: logged.id, text: 'served, said Misfit' }] : [];
}

function wrongRows(judged: readonly Judged[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const byRow = Map.groupBy(listFaults(judged), (fault) => fault.id);
  const sources = new Map(judged.map(({ logged }) => [logged.id, logged.source ?? '']));
  const rows = [...byRow].sort().map(([id, faults]) => {
    const text = faults.map((fault) => fault.text).join('; ');
    return `| ${id} | ${text} | ${reasons[id] ?? 'not explained'} | ${sources.get(id) ?? ''} |`;
  });
  return ['| row | wrong by | why | source |', '|---|---|---|---|', ...rows];
}
