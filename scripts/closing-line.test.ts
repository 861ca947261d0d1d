import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { type Counts, countTests, formatClosingLine, readClosingLine, readSummary } from './closing-line.ts';

function testModule(state: string, ...tests: readonly string[]): TestModule {
  const allTests = () => tests.map((result) => ({ result: () => ({ state: result }) }));
  return { state: () => state, children: { allTests } } as unknown as TestModule;
}

const runs: readonly [string, readonly TestModule[], number, Counts][] = [
  ['all pass', [testModule('passed', 'passed', 'passed')], 0, { passed: 2, failed: 0, skipped: 0 }],
  [
    'one fails and one is skipped',
    [testModule('failed', 'passed', 'failed', 'skipped')],
    0,
    { passed: 1, failed: 1, skipped: 1 },
  ],
  ['a file cannot be imported', [testModule('failed')], 0, { passed: 0, failed: 1, skipped: 0 }],
  ['a hook fails after the tests passed', [testModule('failed', 'passed')], 0, { passed: 1, failed: 1, skipped: 0 }],
  ['a test never ran', [testModule('passed', 'pending')], 0, { passed: 0, failed: 1, skipped: 0 }],
  ['an error came from outside a test', [testModule('passed', 'passed')], 1, { passed: 1, failed: 1, skipped: 0 }],
  ['there is no test', [], 0, { passed: 0, failed: 0, skipped: 0 }],
];

test.each(runs)('countTests counts every failure when %s', (_name, modules, errors, counts) => {
  expect(countTests(modules, errors)).toEqual(counts);
});

const lines: readonly [string, string, Counts | undefined][] = [
  ['nothing was skipped', '3 passed, 0 failed', { passed: 3, failed: 0, skipped: 0 }],
  ['something was skipped', '3 passed, 1 failed, 2 skipped', { passed: 3, failed: 1, skipped: 2 }],
];

test.each(lines)('formatClosingLine writes what readClosingLine reads when %s', (_name, line, counts) => {
  expect(readClosingLine(`Tests  3 passed (3)\n\n${line}\n`)).toEqual(counts);
  expect(counts && formatClosingLine(counts)).toBe(line);
});

test('readClosingLine takes the last line when a run prints several', () => {
  expect(readClosingLine('1 passed, 0 failed\n2 passed, 1 failed\n')).toEqual({ passed: 2, failed: 1, skipped: 0 });
});

test('readClosingLine answers undefined when the run did not come to its end', () => {
  expect(readClosingLine('Tests  3 passed, 0 failed')).toBeUndefined();
});

test('readSummary keeps the lines of vitest that count, without colours', () => {
  const output =
    '\u001b[2m Test Files \u001b[22m \u001b[32m2 passed\u001b[39m (2)\n      Tests  9 passed (9)\n   Start at  10:00:00\n\n9 passed, 0 failed\n';
  expect(readSummary(output)).toBe(' Test Files  2 passed (2)\n      Tests  9 passed (9)');
  expect(readSummary('it did not start')).toBe('');
});
