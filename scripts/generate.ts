/** Writes what is generated anew: every file and inline text that a test compares with, by running just those tests. */
import { globSync, readFileSync } from 'node:fs';
import { runStage } from './run-stage.ts';

const writing = globSync('{apis,cli,domain,functions,scripts,test}/**/*.test.ts').filter((file) =>
  /\.toMatch(File|Inline)Snapshot\(/.test(readFileSync(file, 'utf8')),
);
if (writing.length === 0) throw new Error('no test writes a file: run it in the root of the repository');

// Last, since vitest would take a file name that follows it for its value.
const { passed, output } = await runStage({
  name: 'generate',
  command: ['vitest', 'run', '--project', 'fast', ...writing, '--update'],
});
console.log(passed ? `Wrote what ${writing.length} files of tests compare with; read the diff` : output);
process.exitCode = passed ? 0 : 1;
