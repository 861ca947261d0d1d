import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HandOffEntry, readHandOff, writeHandOff } from './hand-off.ts';
import { assignmentEntry, engineEntry, placementEntry } from './hand-offs.ts';

const entry: HandOffEntry<{ size: number; name?: string | undefined }> = {
  key: 'modelberth.dev/sample',
  version: 2,
  writtenBy: 'placement',
  schema: z.object({ size: z.number(), name: z.string().optional() }),
};

describe('readHandOff', () => {
  test('reads what writeHandOff wrote', () => {
    const written = writeHandOff(entry, { size: 1 });
    expect(written).toEqual({ key: 'modelberth.dev/sample', value: { version: 2, value: { size: 1 } } });
    expect(readHandOff({ other: 1, [written.key]: written.value }, entry)).toEqual({
      state: 'Present',
      value: { size: 1 },
    });
  });

  const cannot = 'Cannot read context "modelberth.dev/sample": ';
  const missing: readonly [string, Record<string, unknown>, string][] = [
    [
      'there is none',
      {},
      'the placement step could not decide (its own condition says why), or is not before this one in the Composition',
    ],
    ['it is text', { 'modelberth.dev/sample': 'text' }, 'it was not written by placement'],
    ['it is null', { 'modelberth.dev/sample': null }, 'it was not written by placement'],
    ['it has no version', { 'modelberth.dev/sample': { value: { size: 1 } } }, 'it was not written by placement'],
    [
      'it is of an older version',
      { 'modelberth.dev/sample': { version: 1, value: { size: 1 } } },
      'found version 1, want 2; run the same version of every function',
    ],
    [
      'it is of a newer version',
      { 'modelberth.dev/sample': { version: 3, value: { size: 1 } } },
      'found version 3, want 2; run the same version of every function',
    ],
    [
      'its value has another form',
      { 'modelberth.dev/sample': { version: 2, value: { size: '1', name: 1 } } },
      'name: Invalid input: expected string, received number; size: Invalid input: expected number, received string; run the same version of every function',
    ],
    ['its value is missing', { 'modelberth.dev/sample': { version: 2 } }, 'it was not written by placement'],
  ];
  test.each(missing)('S1 says in one line what to change when %s', (_name, context, why) => {
    expect(readHandOff(context, entry)).toEqual({ state: 'Missing', why: `${cannot}${why}` });
  });

  test('finds none under a name that every object has', () => {
    expect(readHandOff({}, { ...entry, key: 'constructor' }).state).toBe('Missing');
  });
});

test('every entry has a key of its own in our group', () => {
  const keys = [assignmentEntry, placementEntry, engineEntry].map(({ key }) => key);
  expect(keys).toEqual(['modelberth.dev/assignment', 'modelberth.dev/placement', 'modelberth.dev/engine']);
});
