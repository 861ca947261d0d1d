/** Prints how right the fit is, writes it to docs/accuracy.md, and fails when a figure got worse than recorded. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from '../cli/fit/read-cases.ts';
import { listWorse, type Recorded } from './accuracy/list-worse.ts';
import { judgeAll } from './accuracy/measure.ts';
import { summarise } from './accuracy/summarise.ts';
import { writeReport } from './accuracy/write-report.ts';

const root = join(import.meta.dirname, '..');
const recordedPath = join(root, 'test/fit/accuracy.json');
const judged = judgeAll(readCases(join(root, 'test/fit/cases.jsonl')));
const figures = summarise(judged);
const recorded = JSON.parse(readFileSync(recordedPath, 'utf8')) as Recorded;
const report = writeReport(judged, recorded.reasons);
console.log(report);
const worse = listWorse(figures, recorded.figures);
for (const line of worse) console.log(line);
if (process.argv.includes('--update')) {
  const values = Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));
  writeFileSync(recordedPath, `${JSON.stringify({ figures: values, reasons: recorded.reasons }, null, 2)}\n`);
}
writeFileSync(join(root, 'docs/accuracy.md'), report);
process.exitCode = worse.length > 0 && !process.argv.includes('--update') ? 1 : 0;
