import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The last line of every test run, in the one form that CI reads. */
export function formatClosingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The counts of the last closing line in the output of a test run; undefined when the run did not come to its end. */
export function readClosingLine(output: string): Counts | undefined {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const last = lines.at(-1);
  if (last === undefined) return undefined;
  const [, passed, failed, skipped = 0] = last;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

/** The lines of vitest's own summary in the output of a run, without colours; empty when it did not come to its end. */
export function readSummary(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  return lines.filter((line) => /^ *(Test Files|Tests) {2}/.test(line)).join('\n');
}

/**
 * Counts the tests of a run. A file that failed without a failed test (it cannot be imported, a hook threw) counts as
 * one failure, and so does every error outside a test.
 */
export function countTests(modules: readonly TestModule[], errorsOutside: number): Counts {
  const counts = { passed: 0, failed: errorsOutside, skipped: 0 };
  for (const module of modules) {
    const failedBefore = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'pending') counts.failed += 1;
      else counts[state] += 1;
    }
    if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  return counts;
}

/** Prints the closing line after vitest's own summary. */
export const closingLine: Reporter = {
  onTestRunEnd(modules, errors) {
    process.stdout.write(`${formatClosingLine(countTests(modules, errors.length))}\n`);
  },
};
