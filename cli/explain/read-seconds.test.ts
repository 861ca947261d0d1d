import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSeconds } from './read-seconds.ts';

const durations: readonly [string, unknown, number | undefined][] = [
  ['seconds', '3600s', 3600],
  ['hours', '1h', 3600],
  ['hours and minutes together', '2h45m', 9900],
  ['milliseconds, which are no minutes', '500ms', 0.5],
  ['zero, which Envoy takes for no limit', '0s', 0],
  ['a plain number of seconds', 3660, 3660],
  ['no duration in a number without a unit in text', '60', undefined],
  ['no duration in a fraction', '1.5h', undefined],
  ['no duration in what is missing', undefined, undefined],
  ['no duration in a word', 'never', undefined],
];

test.each(durations)('readSeconds reads %s', (_name, value, expected) => {
  expect(readSeconds(value)).toBe(expected);
});

test('readSeconds reads the sum of the parts of any duration', () => {
  const part = fc.integer({ min: 0, max: 99_999 });
  fc.assert(
    fc.property(part, part, part, (hours, minutes, seconds) => {
      expect(readSeconds(`${hours}h${minutes}m${seconds}s`)).toBe(hours * 3600 + minutes * 60 + seconds);
    }),
  );
});
