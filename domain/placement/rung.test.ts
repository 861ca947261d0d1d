import { expect, test } from 'vitest';
import { askedAt, countsAsAsked, type GroupView, joinedNodes, parkedAt, type RungView, usableNodes } from './rung.ts';

function group(view: Partial<GroupView>): GroupView {
  return { key: 'pool-a', name: 'a', specSize: 0, joined: 0, usable: 0, ...view };
}

function rung(...groups: Partial<GroupView>[]): RungView {
  return { name: 'a', nodes: groups.length, usdPerHour: 1, groups: groups.map(group), allowed: true };
}

const parked = { observedSize: 0, parkedAt: '2026-12-01T10:00:00Z' };

const counted: readonly [string, RungView, boolean][] = [
  ['it was never asked', rung(), false],
  ['it is parked and seen at zero', rung(parked), false],
  ['it was asked and its size is not raised yet', rung({ askedAt: '2026-12-01T10:00:00Z', observedSize: 0 }), true],
  ['its size is raised and our memory of asking is lost', rung({ specSize: 1, observedSize: 0 }), true],
  ['it is parked and the provider still reports a node', rung({ ...parked, observedSize: 1 }), true],
  ['it is parked and a node has joined', rung({ ...parked, joined: 1 }), true],
  ['it is parked and the provider reports nothing, which is not zero', rung({ parkedAt: parked.parkedAt }), true],
  [
    'it is parked and seen at zero, and no report has shown its raise yet',
    rung({ ...parked, raisedAt: '2026-12-01T09:40:00Z' }),
    true,
  ],
  ['one of two groups still has a node', rung(parked, { ...parked, joined: 1 }), true],
];

test.each(counted)('L3 rule 3: countsAsAsked tells what may still cost money when %s', (_name, view, expected) => {
  expect(countsAsAsked(view)).toBe(expected);
});

const moments: readonly [string, RungView, [string | undefined, string]][] = [
  ['there is no group', rung(), [undefined, '']],
  ['it was never parked', rung({ askedAt: '2026-12-01T10:00:00Z' }), ['2026-12-01T10:00:00Z', '']],
  [
    'its groups were asked and parked at different moments',
    rung(
      { askedAt: '2026-12-01T10:05:00Z', parkedAt: '2026-12-01T09:00:00Z' },
      { askedAt: '2026-12-01T10:00:00Z', parkedAt: '2026-12-01T09:30:00Z' },
    ),
    ['2026-12-01T10:00:00Z', '2026-12-01T09:30:00Z'],
  ],
  [
    'only one of its groups is asked',
    rung(parked, { askedAt: '2026-12-01T10:05:00Z' }),
    ['2026-12-01T10:05:00Z', parked.parkedAt],
  ],
];

test.each(moments)('askedAt is the first and parkedAt the last moment when %s', (_name, view, expected) => {
  expect([askedAt(view), parkedAt(view)]).toEqual(expected);
});

test('joinedNodes and usableNodes count over the groups of a gang', () => {
  const gang = rung({ joined: 1, usable: 1 }, { joined: 1 }, {});
  expect([joinedNodes(gang), usableNodes(gang)]).toEqual([2, 1]);
});
