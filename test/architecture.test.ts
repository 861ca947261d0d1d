import { expect, test } from 'vitest';
import { lintFile } from './architecture/file-rules.ts';
import { importsOf, lintImports } from './architecture/import-rules.ts';
import { isCode, isTestCode, readRepository } from './architecture/repository-file.ts';

const files = readRepository();
const code = files.filter(isCode);

/** Fewest files of each part: below, the listing is broken and the rules would hold on nothing. */
const fewest: readonly [string, number][] = [
  ['domain/', 40],
  ['apis/', 12],
  ['functions/', 20],
  ['cli/', 5],
  ['bin/', 3],
  ['scripts/', 5],
  ['test/', 10],
];

test.each(fewest)('the repository has enough code in %s to hold rules on', (folder, count) => {
  expect(code.filter(({ path }) => path.startsWith(folder)).length).toBeGreaterThanOrEqual(count);
});

test('the repository has enough imports and tests to hold rules on', () => {
  const sources = code.filter((file) => !isTestCode(file));
  expect(sources.flatMap(importsOf).filter((specifier) => specifier.startsWith('.')).length).toBeGreaterThanOrEqual(
    150,
  );
  expect(code.filter(({ path }) => path.endsWith('.test.ts')).length).toBeGreaterThanOrEqual(15);
});

test('every import goes the way that the table allows', () => {
  expect(code.flatMap(lintImports)).toEqual([]);
});

test('every file has its size, a telling name, no barrel, no clock, and stands alone', () => {
  expect(files.flatMap(lintFile)).toEqual([]);
});

const wrongImports: readonly [string, string, string, string][] = [
  [
    'domain/ imports functions/',
    'domain/fit/a.ts',
    '../../functions/compose.ts',
    'domain/ may import domain only; move what both need to one of them',
  ],
  [
    'an earlier folder of domain/ imports a later one',
    'domain/units/a.ts',
    '../fit/b.ts',
    'domain/fit/ comes after domain/units/; move what both need to the earlier one',
  ],
  [
    'a folder of domain/ has no place in the order',
    'domain/price/a.ts',
    '../units/usd.ts',
    'domain/price/ has no place in the order; add it to domainOrder',
  ],
  [
    'domain/ imports Node',
    'domain/fit/a.ts',
    'node:fs',
    'domain/ may import zod, @noble/hashes, fastest-levenshtein only; pass what it needs as an argument',
  ],
  [
    'a function imports another',
    'functions/gateway/a.ts',
    '../placement/b.ts',
    'a function never imports another one; move what both need to functions/ or domain/',
  ],
  [
    'functions/ imports cli/',
    'functions/main.ts',
    '../cli/main.ts',
    'functions/ may import functions, apis, domain only; move what both need to one of them',
  ],
  [
    'cli/ imports test/',
    'cli/render.ts',
    '../test/render/canonical.ts',
    'cli/ may import cli, functions, apis, domain only; move what both need to one of them',
  ],
  [
    'apis/ imports functions/',
    'apis/a.ts',
    '../functions/compose.ts',
    'apis/ may import apis, domain only; move what both need to one of them',
  ],
];

test.each(wrongImports)('lintImports says so when %s', (_name, path, specifier, fault) => {
  const message = `${path} imports ${specifier}: ${fault}`;
  for (const text of [
    `import { a } from '${specifier}';`,
    `import type {\n  A,\n} from '${specifier}';`,
    `await import('${specifier}');`,
  ]) {
    expect(lintImports({ path, text })).toEqual([message]);
  }
});

const rightImports: readonly [string, string, string][] = [
  ['domain/ imports an earlier folder', 'domain/fit/a.ts', '../units/bytes.ts'],
  ['domain/ imports a part of an allowed package', 'domain/kubernetes/a.ts', '@noble/hashes/sha2.js'],
  ['a function imports what all share', 'functions/gateway/a.ts', '../compose.ts'],
  ['the list of functions imports each of them', 'functions/functions.ts', './gateway/compose.ts'],
  ['cli/ imports functions/', 'cli/render.ts', '../functions/functions.ts'],
  ['a test imports test/', 'cli/render.test.ts', '../test/render/canonical.ts'],
];

test.each(rightImports)('lintImports allows it when %s', (_name, path, specifier) => {
  expect(lintImports({ path, text: `import { a } from '${specifier}';` })).toEqual([]);
});

const wrongFiles: readonly [string, string, string, string][] = [
  [
    'a source is too long',
    'domain/fit/a.ts',
    'a;\n'.repeat(251),
    'has 251 lines, want at most 250; split it by what it answers',
  ],
  [
    'a test is too long',
    'domain/fit/a.test.ts',
    'a;\n'.repeat(501),
    'has 501 lines, want at most 500; split it by what it answers',
  ],
  [
    'a compose.ts is too long',
    'functions/gateway/compose.ts',
    'a;\n'.repeat(121),
    'has 121 lines, want at most 120; split it by what it answers',
  ],
  ['a name says nothing', 'domain/fit/utils.ts', '', 'is named "utils"; name it for the one thing that it exports'],
  [
    'the last word of a name says nothing',
    'cli/render-helpers.ts',
    '',
    'is named "helpers"; name it for the one thing that it exports',
  ],
  ['a folder says nothing', 'domain/common/a.ts', '', 'is named "common"; name it for the one thing that it exports'],
  [
    'a file is a barrel by name',
    'domain/fit/index.ts',
    '',
    'passes on the exports of others; import each from the file that has it',
  ],
  [
    'a file passes on an export',
    'domain/fit/a.ts',
    "export { b } from './b.ts';",
    'passes on the exports of others; import each from the file that has it',
  ],
  [
    'S4 domain/ reads the clock',
    'domain/fit/a.ts',
    'const now = Date.now();',
    'calls Date.now(); take the time or the chance as an argument',
  ],
  [
    'S4 domain/ makes a date of now',
    'domain/fit/a.ts',
    'const now = new Date();',
    'calls new Date(); take the time or the chance as an argument',
  ],
  [
    'S3 domain/ takes a chance',
    'domain/fit/a.ts',
    'const key = Math.random();',
    'calls Math.random(); take the time or the chance as an argument',
  ],
  [
    'a document names a folder outside',
    'README.md',
    `see ${['..', 'shared'].join('/')}/x`,
    `names ${['..', 'shared'].join('/')}; the project stands alone, so copy the fact in with its source and date`,
  ],
];

test.each(wrongFiles)('lintFile says so when %s', (_name, path, text, fault) => {
  expect(lintFile({ path, text })).toEqual([`${path} ${fault}`]);
});

const rightFiles: readonly [string, string, string][] = [
  ['a source has its full size', 'domain/fit/a.ts', 'a;\n'.repeat(250)],
  ['domain/ makes a date from an argument', 'domain/fit/a.ts', 'const then = new Date(text);'],
  ['functions/ reads the clock', 'functions/serve.ts', 'const now = () => new Date();'],
  ['a word that says nothing stands elsewhere in a name', 'domain/gateway/base-route.ts', 'export const a = 1;'],
];

test.each(rightFiles)('lintFile finds nothing when %s', (_name, path, text) => {
  expect(lintFile({ path, text })).toEqual([]);
});
