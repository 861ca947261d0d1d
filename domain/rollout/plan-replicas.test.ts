import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Readiness } from '../readiness/judge-readiness.ts';
import { planReplicas, type ReplicasQuestion, type ReplicaView } from './plan-replicas.ts';

interface Row {
  /** Whether it has the template of the claim. */
  readonly old?: boolean;
  readonly ready?: Readiness;
  readonly rollout?: ReplicaView['rollout'];
  readonly traffic?: ReplicaView['traffic'];
  readonly drain?: ReplicaView['drain'];
}

function question(wanted: number, rows: Readonly<Record<number, Row>>, mayChange = true): ReplicasQuestion {
  const replicas = Object.entries(rows).map(
    ([index, { old = false, ready = 'Ready', rollout = 'Live', traffic = 'Serve', drain = 'Pending' }]) => ({
      index: Number(index),
      authorHash: old ? 'old' : 'new',
      readiness: ready,
      rollout,
      traffic,
      drain,
    }),
  );
  return { wanted, authorHash: 'new', mayChange, replicas };
}

function actions(asked: ReplicasQuestion): Readonly<Record<number, string>> {
  return Object.fromEntries(planReplicas(asked).map(({ index, action }) => [index, action]));
}

const table: readonly [string, ReplicasQuestion, Readonly<Record<number, string>>][] = [
  ['nothing is wanted and nothing exists', question(0, {}), {}],
  ['nothing exists yet, so that all are created at once', question(3, {}), { 0: 'Create', 1: 'Create', 2: 'Create' }],
  ['everything is as the claim says', question(2, { 0: {}, 1: {} }), { 0: 'Keep', 1: 'Keep' }],
  ['somebody deleted one', question(2, { 1: {} }), { 0: 'Create', 1: 'Keep' }],
  ['one more is wanted', question(2, { 0: {} }), { 0: 'Keep', 1: 'Create' }],
  [
    'L33 L40 the template changed, so that the lowest is drained first',
    question(3, { 0: { old: true }, 1: { old: true }, 2: { old: true } }),
    { 0: 'Drain', 1: 'Keep', 2: 'Keep' },
  ],
  [
    'L40 no service sends to the lowest any more, so that it is edited',
    question(3, { 0: { old: true, traffic: 'Drain', drain: 'Done' }, 1: { old: true }, 2: { old: true } }),
    { 0: 'Edit', 1: 'Keep', 2: 'Keep' },
  ],
  [
    'it is the only one, so that draining it would give nobody an answer',
    question(1, { 0: { old: true, drain: 'LastOne' } }),
    { 0: 'Edit' },
  ],
  [
    'L33 the edited one is drained and does not run its template yet, whatever it said of the one before',
    question(2, { 0: { traffic: 'Drain', drain: 'Done', rollout: 'Pending' }, 1: { old: true } }),
    { 0: 'Drain', 1: 'Keep' },
  ],
  [
    'L40 the edited one runs its template and answers, so that it gets requests again before the next is drained',
    question(2, { 0: { traffic: 'Drain', drain: 'Done' }, 1: { old: true } }),
    { 0: 'Keep', 1: 'Drain' },
  ],
  [
    'S5 the edited one answers, and has not said that it runs its template: a status of before may be read',
    question(2, { 0: { rollout: 'Pending' }, 1: { old: true } }),
    { 0: 'Keep', 1: 'Keep' },
  ],
  [
    'L40 the template failed on one, so that no other is edited, not even one that is broken',
    question(3, { 0: { rollout: 'Failed' }, 1: { old: true }, 2: { old: true, ready: 'NotReady' } }),
    { 0: 'Keep', 1: 'Keep', 2: 'Keep' },
  ],
  [
    'L40 the template failed on one that was drained for it, which serves again as it was',
    question(2, { 0: { rollout: 'Failed', traffic: 'Drain', drain: 'Done' }, 1: { old: true } }),
    { 0: 'Keep', 1: 'Keep' },
  ],
  [
    'L40 the template failed and the claim was changed again, so that the one that failed is the first',
    question(2, { 0: { old: true, rollout: 'Failed', drain: 'Done' }, 1: { old: true } }),
    { 0: 'Edit', 1: 'Keep' },
  ],
  [
    'L40 the edited one is not ready yet',
    question(3, { 0: { ready: 'NotReady' }, 1: { old: true }, 2: { old: true } }),
    { 0: 'Keep', 1: 'Keep', 2: 'Keep' },
  ],
  [
    'L40 the edited one is ready, so that the next is edited',
    question(3, { 0: {}, 1: { old: true }, 2: { old: true } }),
    { 0: 'Keep', 1: 'Drain', 2: 'Keep' },
  ],
  [
    'L40 one with the old template is broken, so that it is the first, since nothing is lost by it',
    question(3, { 0: { old: true }, 1: { old: true, ready: 'NotReady' }, 2: { old: true } }),
    { 0: 'Keep', 1: 'Edit', 2: 'Keep' },
  ],
  [
    'S1 S5 nothing is known of the engine of one with the old template, so that nothing is edited: it may serve',
    question(2, { 0: { old: true, ready: 'Unknown' }, 1: { old: true } }),
    { 0: 'Keep', 1: 'Keep' },
  ],
  [
    'a new index is not ready, so that a ready one with the old template stays',
    question(2, { 0: { old: true }, 1: { ready: 'NotReady' } }),
    { 0: 'Keep', 1: 'Keep' },
  ],
  [
    'L40 one more is wanted and the template changed, so that the new index proves it before a ready one is taken down',
    question(2, { 0: { old: true } }),
    { 0: 'Keep', 1: 'Create' },
  ],
  ['one less is wanted', question(1, { 0: {}, 1: {} }), { 0: 'Keep', 1: 'Drain' }],
  [
    'one drains and a service still sends to it',
    question(1, { 0: {}, 1: { traffic: 'Drain' } }),
    { 0: 'Keep', 1: 'Drain' },
  ],
  [
    'one drains and a service has been silent for the longest stream',
    question(1, { 0: {}, 1: { traffic: 'Drain', drain: 'Overdue' } }),
    { 0: 'Keep', 1: 'Drop' },
  ],
  ['one has drained', question(1, { 0: {}, 1: { traffic: 'Drain', drain: 'Done' } }), { 0: 'Keep', 1: 'Drop' }],
  [
    'no service sends to one that was never told to drain',
    question(1, { 0: {}, 1: { drain: 'Done' } }),
    { 0: 'Keep', 1: 'Drain' },
  ],
  [
    'the last one drains and keeps its weight',
    question(0, { 0: { traffic: 'Drain', drain: 'LastOne' } }),
    { 0: 'Detach' },
  ],
  [
    'the last one is detached and still has an endpoint',
    question(0, { 0: { traffic: 'Detach', drain: 'LastOne' } }),
    { 0: 'Detach' },
  ],
  [
    'the last one is detached and its service has not said so',
    question(0, { 0: { traffic: 'Detach' } }),
    { 0: 'Detach' },
  ],
  [
    'the last one is detached and without an endpoint',
    question(0, { 0: { traffic: 'Detach', drain: 'Done' } }),
    { 0: 'Drop' },
  ],
  ['one that drained is wanted again', question(1, { 0: { traffic: 'Drain', drain: 'Done' } }), { 0: 'Keep' }],
  [
    'an index above the wanted ones is broken, which holds no rollout up',
    question(1, { 0: { old: true, drain: 'LastOne' }, 1: { traffic: 'Drain', ready: 'NotReady' } }),
    { 0: 'Edit', 1: 'Drain' },
  ],
  ['the claim is refused and nothing exists', question(2, {}, false), {}],
  [
    'the claim is refused while replicas have the old template and one is missing',
    question(3, { 0: { old: true }, 1: { old: true, ready: 'NotReady' } }, false),
    { 0: 'Keep', 1: 'Keep' },
  ],
];

test.each(table)('planReplicas decides the next step of each index when %s', (_name, asked, expected) => {
  expect(actions(asked)).toEqual(expected);
});

const someRow = fc.record({
  old: fc.boolean(),
  rollout: fc.constantFrom('Live' as const, 'Failed' as const, 'Pending' as const),
  ready: fc.constantFrom('Ready' as const, 'NotReady' as const, 'Unknown' as const),
  traffic: fc.constantFrom('Serve' as const, 'Drain' as const, 'Detach' as const),
  drain: fc.constantFrom('Pending' as const, 'LastOne' as const, 'Done' as const),
});
const someQuestion = fc
  .record({
    wanted: fc.nat({ max: 6 }),
    rows: fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4', '5'), someRow),
    mayChange: fc.boolean(),
  })
  .map(({ wanted, rows, mayChange }) => question(wanted, rows, mayChange));

test('L40 in no state is more than one replica edited, and a ready one only while every other wanted one is ready', () => {
  fc.assert(
    fc.property(someQuestion, (asked) => {
      const edited = planReplicas(asked)
        .filter(({ action }) => action === 'Edit')
        .map(({ index }) => index);
      expect(edited.length).toBeLessThanOrEqual(1);
      const kept = asked.replicas.filter(({ index }) => index < asked.wanted);
      const target = kept.find(({ index }) => index === edited[0]);
      if (target?.readiness === 'Ready') expect(kept.filter(({ readiness }) => readiness !== 'Ready')).toEqual([]);
      expect(target?.readiness).not.toBe('Unknown');
    }),
  );
});

test('L33 in no state is a replica edited that answers and that a service still sends to beside another', () => {
  fc.assert(
    fc.property(someQuestion, (asked) => {
      const byIndex = new Map(asked.replicas.map((replica) => [replica.index, replica]));
      for (const { index, action } of planReplicas(asked)) {
        const { readiness, drain } = byIndex.get(index) ?? {};
        if (action === 'Edit' && readiness === 'Ready') expect(drain).not.toBe('Pending');
      }
    }),
  );
});

test('L40 a new index copies a template that runs where that of the claim failed', () => {
  const failed = question(3, { 0: { rollout: 'Failed' }, 1: { old: true } });
  expect(planReplicas(failed)[2]).toEqual({
    index: 2,
    action: 'Create',
    copyOf: 1,
    why: 'asked for by spec.replicas; the template of the claim failed on 0, so that it copies 1',
  });
  expect(planReplicas(question(2, { 0: { rollout: 'Failed' } }))[1]).toEqual({
    index: 1,
    action: 'Create',
    why: 'asked for by spec.replicas',
  });
});

test('S1 in no state is a replica dropped that is wanted or not proven drained', () => {
  fc.assert(
    fc.property(someQuestion, (asked) => {
      const byIndex = new Map(asked.replicas.map((replica) => [replica.index, replica]));
      for (const { index, action } of planReplicas(asked)) {
        if (action !== 'Drop') continue;
        const { traffic, drain } = byIndex.get(index) ?? {};
        expect([index >= asked.wanted, drain, traffic === 'Drain' || traffic === 'Detach']).toEqual([
          true,
          'Done',
          true,
        ]);
      }
    }),
  );
});

test('S1 every replica that exists has exactly one step, and nothing is made or edited while the claim is refused', () => {
  fc.assert(
    fc.property(someQuestion, (asked) => {
      const steps = planReplicas(asked);
      const indices = steps.map(({ index }) => index);
      expect(indices).toEqual([...new Set(indices)].sort((left, right) => left - right));
      const existing = asked.replicas.map(({ index }) => index);
      expect(existing.filter((index) => !indices.includes(index))).toEqual([]);
      const made = steps.filter(({ action }) => action === 'Create' || action === 'Edit');
      if (!asked.mayChange) expect(made).toEqual([]);
    }),
  );
});

test('S1 nothing changes while the claim is refused and every replica that exists is wanted', () => {
  fc.assert(
    fc.property(someQuestion, (asked) => {
      const refused = { ...asked, mayChange: false, wanted: 6 };
      const steps = planReplicas(refused).map(({ index, action }) => [index, action]);
      const kept = refused.replicas.map(({ index, traffic }) => [index, traffic]);
      const changes = steps.filter(([index, action]) => {
        const isKept = action === 'Keep' || kept.some(([other, traffic]) => other === index && traffic === action);
        return !isKept;
      });
      expect([changes, steps.length]).toEqual([[], refused.replicas.length]);
    }),
  );
});

test('S3 the order in which replicas are observed changes nothing', () => {
  fc.assert(
    fc.property(someQuestion, (asked) => {
      expect(planReplicas({ ...asked, replicas: asked.replicas.toReversed() })).toEqual(planReplicas(asked));
    }),
  );
});
