import fc from 'fast-check';
import { expect, test } from 'vitest';
import { item, paragraph, section, table } from './layout.ts';

test('section has an empty line and its heading before its lines', () => {
  expect(section('Price', ['  one', '  two'])).toEqual(['', 'Price', '  one', '  two']);
});

test('section without lines is nothing, not even a heading', () => {
  expect(section('Price', [])).toEqual([]);
});

test('item indents its further lines more, so that they are no item', () => {
  expect(item('one two three four', 14)).toEqual(['  one two', '    three four']);
});

test('paragraph indents its further lines, so that they are no title', () => {
  expect(paragraph('one two three four', 12)).toEqual(['one two', '  three four']);
});

test('table aligns its columns and wraps the last below itself', () => {
  const rows = [
    ['HOP', 'SET BY'],
    ['load balancer', 'an annotation of the EnvoyProxy'],
    ['route', ''],
  ];
  expect(table(rows, 44)).toEqual([
    '  HOP            SET BY',
    '  load balancer  an annotation of the',
    '                 EnvoyProxy',
    '  route',
  ]);
});

const words = fc.array(fc.stringMatching(/^[a-z0-9/=.-]{1,16}$/), { minLength: 1, maxLength: 40 });
const widths = fc.integer({ min: 40, max: 200 });

test('no line of an item or a paragraph is longer than the width, and no word is lost', () => {
  fc.assert(
    fc.property(words, widths, (each, width) => {
      for (const lines of [item(each.join(' '), width), paragraph(each.join(' '), width)]) {
        expect(lines.filter((line) => line.length > width)).toEqual([]);
        expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(each);
      }
    }),
  );
});

test('no line of a table is longer than the width where its last column has room for the longest word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,9}$/), words, widths, (first, each, width) => {
      const lines = table([[first, each.join(' ')]], width);
      expect(lines.filter((line) => line.length > width)).toEqual([]);
      expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual([first, ...each]);
    }),
  );
});
