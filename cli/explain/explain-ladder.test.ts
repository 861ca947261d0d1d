import { expect, test } from 'vitest';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { type ExplainedLadder, explainLadder } from './explain-ladder.ts';

const now = new Date('2026-12-01T12:04:30Z');
const asked = { rung: 'l4/1x1-tp1-pp1/OnDemand', state: 'Asked', nodes: '0 of 1', usdPerHour: 0.98 };
const free = { rung: 'l40s/1x1-tp1-pp1/OnDemand', state: 'Free', nodes: '0 of 1', usdPerHour: 1.86 };

function replica(status: Record<string, unknown>): KubernetesObject {
  const spec = { clusterName: 'europe', placement: { patienceMinutes: 12 } };
  return { apiVersion, kind: 'ModelReplica', metadata: { name: 'llama-0' }, spec, status };
}

const placed = (status: string, message: string) => ({ conditions: [{ type: 'Placed', status, message }] });

type Said = Omit<ExplainedLadder, 'replica' | 'cluster' | 'rungs'>;
const cases: readonly [string, Record<string, unknown>, Said][] = [
  [
    'S4 the next rung with its moment, counted from the asking by the patience of the replica',
    { ladder: [{ ...asked, askedAt: '2026-12-01T12:00:00Z' }, free], next: 'at 12 min, ask g6e.xlarge' },
    { next: 'at 12 min, ask g6e.xlarge', nextAt: '2026-12-01T12:12:00Z', nextInMinutes: 8 },
  ],
  [
    'the moment of a rung that is asked in this very pass, which only its row has',
    {
      ladder: [asked, free],
      next: 'at 12 min, ask g6e.xlarge',
      resources: [
        { kind: 'NodeGroup', state: 'Parked', since: '2026-12-01T12:04:29Z' },
        { kind: 'NodeGroup', state: 'Asked', since: '2026-12-01T12:04:00Z' },
      ],
    },
    { next: 'at 12 min, ask g6e.xlarge', nextAt: '2026-12-01T12:16:00Z', nextInMinutes: 12 },
  ],
  [
    'the latest asking of two, since each rung has its own patience',
    {
      ladder: [
        { ...asked, askedAt: '2026-12-01T11:50:00Z' },
        { ...free, state: 'Asked', askedAt: '2026-12-01T12:02:00Z' },
      ],
      next: 'at 12 min, ask g7e.2xlarge',
    },
    { next: 'at 12 min, ask g7e.2xlarge', nextAt: '2026-12-01T12:14:00Z', nextInMinutes: 10 },
  ],
  [
    'no moment once the patience is over, since the next rung waits for a place and not for time',
    { ladder: [{ ...asked, askedAt: '2026-12-01T11:00:00Z' }, free], next: 'at 12 min, ask g6e.xlarge' },
    { next: 'at 12 min, ask g6e.xlarge' },
  ],
  [
    'that no other rung is left, with the condition',
    { ladder: [asked], ...placed('False', 'Waiting for nodes of l4') },
    { next: 'no other rung may be asked: Waiting for nodes of l4' },
  ],
  [
    'L12 that a rung which serves stays',
    { ladder: [{ ...asked, state: 'Serving', nodes: '1 of 1' }], ...placed('True', '1 of 1 nodes are usable') },
    { next: 'it stays there: 1 of 1 nodes are usable; a rung that serves is left only when its nodes are lost' },
  ],
  ['that nothing is decided where there is no status', {}, { next: 'nothing is decided yet' }],
];

test.each(cases)('explainLadder says %s', (_name, status, expected) => {
  const { replica: name, cluster, rungs: _rungs, ...said } = explainLadder(replica(status), now);
  expect({ name, cluster, said }).toEqual({ name: 'llama-0', cluster: 'europe', said: expected });
});

test('L11 explainLadder shows what the provider said as evidence, beside the nodes that decide', () => {
  const rung = { ...asked, askedAt: '2026-12-01T12:00:00Z', evidence: 'provider says CREATE_FAILED' };
  expect(explainLadder(replica({ ladder: [rung] }), now).rungs).toEqual([rung]);
});
