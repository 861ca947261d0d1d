import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTimestamp, isTimestamp, millisBetween, minuteMillis } from './duration.ts';

const spans: readonly [string, string, string, number][] = [
  ['the second is later', '2026-12-01T10:00:00Z', '2026-12-01T10:12:00Z', 12 * minuteMillis],
  ['both are the same', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00Z', 0],
  ['a clock stepped back', '2026-12-01T10:00:00Z', '2026-12-01T09:59:00Z', -minuteMillis],
  ['the first has an offset', '2026-12-01T11:00:00+01:00', '2026-12-01T10:01:00Z', minuteMillis],
];

test.each(spans)('millisBetween is signed when %s', (_name, from, to, expected) => {
  expect(millisBetween(from, new Date(to))).toBe(expected);
});

const texts: readonly [string, string | undefined, boolean][] = [
  ['it is RFC 3339', '2026-12-01T10:00:00Z', true],
  ['it is absent', undefined, false],
  ['it was emptied to mark what is over', '', false],
  ['it is a word', 'yesterday', false],
];

test.each(texts)('isTimestamp tells whether a moment can be read when %s', (_name, text, expected) => {
  expect(isTimestamp(text)).toBe(expected);
});

const someMoments = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

test('formatTimestamp writes whole seconds that can be read again, and never a later moment', () => {
  fc.assert(
    fc.property(someMoments, (moment) => {
      const text = formatTimestamp(moment);
      expect(text).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
      expect(isTimestamp(text)).toBe(true);
      const late = millisBetween(text, moment);
      expect(late >= 0 && late < 1000).toBe(true);
    }),
  );
});

test('formatTimestamp keeps the order of moments as texts', () => {
  fc.assert(
    fc.property(someMoments, someMoments, (left, right) => {
      if (left > right) return;
      expect(formatTimestamp(left) <= formatTimestamp(right)).toBe(true);
    }),
  );
});
