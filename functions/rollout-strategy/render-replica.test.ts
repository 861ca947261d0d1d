import { expect, test } from 'vitest';
import type { ReplicaStep } from '../../domain/rollout/plan-replicas.ts';
import { renderReplica } from './render-replica.ts';

const now = new Date('2026-12-01T12:00:00Z');
const before = '2026-12-01T11:00:00Z';

const rows: readonly [string, ReplicaStep['action'], string | undefined, string | undefined][] = [
  ['remembers when it was told to drain', 'Drain', undefined, '2026-12-01T12:00:00Z'],
  ['does not begin anew in a later pass', 'Drain', before, before],
  ['goes on counting where it is detached', 'Detach', before, before],
  ['begins anew where it drains again', 'Drain', '', '2026-12-01T12:00:00Z'],
  ['forgets it where it serves again', 'Keep', before, ''],
  ['has nothing to remember while it serves', 'Keep', undefined, undefined],
];

test.each(rows)('S4 a replica %s', (_name, action, remembered, expected) => {
  const annotations = remembered === undefined ? {} : { 'modelberth.dev/drain-asked-at': remembered };
  const identity = { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelReplica' };
  const object = renderReplica({
    xr: { ...identity, kind: 'ModelDeployment', metadata: { name: 'llama' }, spec: {} },
    step: { index: 0, action, why: 'asked' },
    assignment: { clusterName: 'europe' },
    authorHash: 'c0ffee',
    now,
    existing: { ...identity, metadata: { name: 'llama-0', annotations }, spec: { index: 0, traffic: 'Serve' } },
  });
  expect(object?.metadata.annotations?.['modelberth.dev/drain-asked-at']).toBe(expected);
});
