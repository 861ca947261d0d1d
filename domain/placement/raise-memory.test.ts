import { expect, test } from 'vitest';
import { annotation } from '../kubernetes/label.ts';
import { raiseMemory } from './raise-memory.ts';
import type { GroupView } from './rung.ts';

const now = new Date('2026-12-01T12:00:00Z');
const raised = { raisedAt: '2026-12-01T11:30:00Z' };

const rows: readonly [string, Partial<GroupView>, 0 | 1, string | undefined][] = [
  ['it is raised', { observedSize: 0 }, 1, '2026-12-01T12:00:00Z'],
  ['it was raised before and is parked since', { ...raised, observedSize: 0 }, 1, '2026-12-01T12:00:00Z'],
  ['the report is still of before the raise', { ...raised, specSize: 1, observedSize: 0 }, 1, undefined],
  ['it is parked and the report is still of before the raise', { ...raised, observedSize: 0 }, 0, undefined],
  ['nothing is reported', raised, 0, undefined],
  ['the report shows the raise', { ...raised, specSize: 1, observedSize: 1 }, 1, ''],
  ['it is parked and the report shows the raise', { ...raised, observedSize: 1 }, 0, ''],
  ['no operation lasts so long', { raisedAt: '2026-12-01T10:45:00Z', observedSize: 0 }, 0, ''],
  ['it stays parked', { observedSize: 0 }, 0, undefined],
  ['it was raised by a version without this memory', { specSize: 1, observedSize: 0 }, 1, undefined],
];

test.each(rows)('L3 rule 3: raiseMemory says what to write when %s', (_name, view, size, expected) => {
  const group: GroupView = { key: 'pool-a', name: 'a', specSize: 0, joined: 0, usable: 0, ...view };
  const written = expected === undefined ? {} : { [annotation.raisedAt]: expected };
  expect(raiseMemory(group, size, now)).toEqual(written);
});
