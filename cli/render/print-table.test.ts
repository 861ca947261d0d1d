import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClaimReport } from './describe-claims.ts';
import { breakText, printReports } from './print-table.ts';

function reportOf(fields: Partial<ClaimReport>): ClaimReport {
  return { title: 'llama  Llama', rows: [], notes: [], refused: false, ...fields };
}
const asked = {
  resource: 'llama-0-l4',
  kind: 'NodeGroup',
  state: 'Asked',
  why: 'g6.xlarge on-demand, 3 zones; 0 of 1 node joined',
};
const planned = { resource: 'llama-0', kind: 'Deployment', state: 'Planned', why: 'composed when its node is there' };

describe('printReports prints', () => {
  test('a title, a table with aligned columns, and notes', () => {
    expect(printReports([reportOf({ rows: [asked, planned], notes: ['Next: ask l40s'] })], 100)).toBe(
      [
        'llama  Llama',
        'RESOURCE    KIND        STATE    WHY',
        'llama-0-l4  NodeGroup   Asked    g6.xlarge on-demand, 3 zones; 0 of 1 node joined',
        'llama-0     Deployment  Planned  composed when its node is there',
        'Next: ask l40s',
        '',
      ].join('\n'),
    );
  });

  test('no table where there are no rows', () => {
    expect(printReports([reportOf({ notes: ['Placed=False Misfit: too large'] })], 100)).toBe(
      'llama  Llama\nPlaced=False Misfit: too large\n',
    );
  });

  test('an empty line between reports', () => {
    expect(printReports([reportOf({ title: 'a' }), reportOf({ title: 'b' })], 100)).toBe('a\n\nb\n');
  });

  test('why below why where a line is full, and titles and notes with an indent', () => {
    const title = 'llama  Llama-3.1-8B-Instruct on 1 x L4   Fit';
    expect(printReports([reportOf({ title, rows: [asked], notes: ['Next: ask g6e.xlarge beside it'] })], 30)).toBe(
      [
        'llama  Llama-3.1-8B-Instruct',
        '  on 1 x L4   Fit',
        'RESOURCE    KIND       STATE  WHY',
        'llama-0-l4  NodeGroup  Asked  g6.xlarge on-demand, 3 zones;',
        '                              0 of 1 node joined',
        'Next: ask g6e.xlarge beside',
        '  it',
        '',
      ].join('\n'),
    );
  });

  test('one row for all that is merely created, with their kinds counted, and a single one as itself', () => {
    const created = (kind: string, resource: string) => ({ resource, kind, state: 'Created', why: 'exists' });
    const many = [created('Service', 's'), asked, created('Backend', 'b'), created('Service', 't')];
    expect(
      printReports([reportOf({ rows: many })], 100)
        .split('\n')
        .slice(1, 4),
    ).toEqual([
      'RESOURCE    KIND       STATE    WHY',
      'llama-0-l4  NodeGroup  Asked    g6.xlarge on-demand, 3 zones; 0 of 1 node joined',
      '3 more                 Created  Backend, 2 Service',
    ]);
    expect(printReports([reportOf({ rows: [created('Service', 's')] })], 100)).toContain(
      's         Service  Created  exists',
    );
  });
});

describe('breakText', () => {
  const rows: readonly [string, string, number, readonly string[]][] = [
    ['leaves a text that fits', 'a b c', 5, ['a b c']],
    ['breaks at a space', 'a b c', 4, ['a b', 'c']],
    ['leaves a word whole that is longer than a line', 'a abcdefgh b', 4, ['a', 'abcdefgh', 'b']],
    ['keeps runs of spaces within a line', 'a   b', 10, ['a   b']],
    ['ends no line with a space', 'aa   bb', 3, ['aa', 'bb']],
    ['makes one empty line of nothing', '', 5, ['']],
  ];
  test.each(rows)('%s', (_name, text, length, lines) => {
    expect(breakText(text, length)).toEqual(lines);
  });

  test('loses no word, keeps their order, and makes no line too long unless it is one word', () => {
    const Words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 20 });
    fc.assert(
      fc.property(Words, fc.integer({ min: 1, max: 30 }), (words, length) => {
        const lines = breakText(words.join(' '), length);
        expect(
          lines
            .join(' ')
            .split(' ')
            .filter((word) => word !== ''),
        ).toEqual(words);
        expect(lines.filter((line) => line.length > length && line.includes(' '))).toEqual([]);
      }),
    );
  });
});
