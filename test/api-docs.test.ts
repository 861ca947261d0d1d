import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definitions } from '../apis/definitions.ts';
import { apiPage } from './api-docs.ts';

const folder = join(import.meta.dirname, '../docs/api');
const heading = '<!-- Generated from apis/ by `npm run generate`; do not edit. -->\n\n';
const pages = definitions.map((definition) => ({ kind: definition.kind, page: apiPage(definition) }));

describe.each(pages)('the reference of $kind', ({ kind, page }) => {
  test('is generated from its schemas', async () => {
    await expect(`${heading}${page}`).toMatchFileSnapshot(join(folder, `${kind}.md`));
  });

  test('has tables whose rows have as many cells as their heading, and no HTML', () => {
    const tables = page
      .trim()
      .split('\n\n')
      .filter((block) => block.startsWith('| '));
    const cells = (row: string) => row.replaceAll('\\|', '').split('|').length;
    const broken = tables.flatMap((table) => {
      const [head = '', ...rows] = table.split('\n');
      return rows.filter((row) => cells(row) !== cells(head));
    });
    expect(broken).toEqual([]);
    expect(tables.length).toBe(3);
    expect(page.replaceAll(/`[^`]*`/g, '')).not.toMatch(/<[a-z/]/i);
  });
});

test('the reference has an index that says who writes what', async () => {
  const rows = definitions.map(({ kind, shortNames, scope, description }) => {
    return `| [${kind}](${kind}.md) | ${shortNames.join(', ')} | ${scope} | ${description} |`;
  });
  const index = ['# API reference', '', '| kind | short | scope | says |', '|---|---|---|---|', ...rows, ''].join('\n');
  await expect(`${heading}${index}`).toMatchFileSnapshot(join(folder, 'README.md'));
});

test('the reference has no page beside it that nobody wrote', () => {
  const wanted = ['README.md', ...definitions.map(({ kind }) => `${kind}.md`)];
  expect(readdirSync(folder).sort()).toEqual(wanted.sort());
});
