import { expect, test } from 'vitest';
import { conditionTypes, reasons } from './condition.ts';

/** Core sets these itself and ignores a function's (crossplane v2.4.0, read 2026-12-01). */
const ofCore = ['Ready', 'Synced', 'Healthy'];

/** One or more sentences on one line; the last ends with one full stop. */
const sentences = /^[A-Z0-9][^\n]*[^.\s]\.$/;

test('S5 no condition type has a name that core ignores from a function', () => {
  expect(Object.keys(conditionTypes).filter((type) => ofCore.includes(type))).toEqual([]);
});

test('S6 every reason is PascalCase and says what it means and what mends it in sentences with a full stop', () => {
  const wrong = Object.entries(reasons).filter(
    ([reason, { means, mend }]) =>
      !/^([A-Z][a-z0-9]*)+$/.test(reason) || !sentences.test(means) || !sentences.test(mend),
  );
  expect(Object.keys(reasons).length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});

test('S6 no two reasons mean the same', () => {
  const texts = Object.values(reasons).map(({ means }) => means);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test('S6 every condition type says what it means when it is True, as a phrase without a full stop', () => {
  const wrong = Object.entries(conditionTypes).filter(
    ([type, text]) => !/^[A-Z][A-Za-z]+$/.test(type) || !/^[A-Z].*[^.]$/.test(text),
  );
  expect(Object.keys(conditionTypes).length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});
