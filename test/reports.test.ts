import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { isCode, isTestCode, readRepository } from './architecture/repository-file.ts';
import { readCases } from './render/read-cases.ts';

const names = z.array(z.string()).default([]);
/** What shows that a report does not happen here, or why nothing does; neither where a test has its id. */
const Report = z.strictObject({ cases: names, tests: names, outside: z.string().min(20).optional() });

const text = readFileSync(join(import.meta.dirname, 'reports.yaml'), 'utf8');
const reports = Object.entries(z.record(z.string().regex(/^[\w.-]+#\d+$/), Report).parse(parse(text)));
const code = readRepository().filter((file) => isCode(file) && isTestCode(file));
const caseNames = new Set(readCases().map(({ name }) => name));

/** A title as it stands in the code, between quotes. */
function isTitle(name: string): boolean {
  return code.some((file) => file.text.includes(name));
}

test('each of the 93 reports has a test with its id, something that shows it, or a reason why nothing does', () => {
  const silent = reports.filter(([id, { cases, tests, outside }]) => {
    const shown = cases.length + tests.length + (isTitle(id) ? 1 : 0);
    return shown === 0 && outside === undefined;
  });
  expect(silent.map(([id]) => id)).toEqual([]);
  expect(reports.length).toBe(93);
});

test.each(reports)('what is said to show %s exists', (_id, { cases, tests }) => {
  expect(cases.filter((name) => !caseNames.has(name))).toEqual([]);
  expect(tests.filter((name) => !isTitle(name))).toEqual([]);
});
