/** The fast gate: everything that must hold on every commit, side by side, with the output of what failed. */
import { formatClosingLine, readClosingLine, readSummary } from './closing-line.ts';
import { formatStages, runStage, type Stage } from './run-stage.ts';

const tests: Stage = { name: 'unit, golden, architecture', command: ['vitest', 'run', '--project', 'fast'] };
const stages: readonly Stage[] = [
  tests,
  { name: 'types', command: ['tsc', '--noEmit', '--project', '.'] },
  { name: 'format, lint', command: ['biome', 'check', '--error-on-warnings', '--diagnostic-level=warn', '.'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];

const results = await Promise.all(stages.map(runStage));
for (const { name, output } of results.filter(({ passed }) => !passed)) console.log(`--- ${name}\n${output}`);
console.log(formatStages(results));
const ran = results.find(({ name }) => name === tests.name);
const counts = readClosingLine(ran?.output ?? '') ?? { passed: 0, failed: 1, skipped: 0 };
console.log(`\n${readSummary(ran?.output ?? '')}\n\n${formatClosingLine(counts)}`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
