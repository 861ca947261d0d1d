import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { compareComposed, formatChanges } from './compare-composed.ts';

function object(kind: string, key: string, spec: Record<string, unknown>): KubernetesObject {
  const annotations = { 'crossplane.io/composition-resource-name': key };
  return { apiVersion: 'v1', kind, metadata: { name: key, annotations }, spec };
}
const engine = (image: string, replicas = 1) =>
  object('Deployment', 'workload-engine', { replicas, template: { spec: { image } } });
const pool = (size: number) => object('NodeGroup', 'pool-a', { size });

const rows: readonly [string, Parameters<typeof compareComposed>[0], readonly Record<string, unknown>[]][] = [
  ['nothing when nothing differs', { name: 'a/1', before: [engine('x')], after: [engine('x')], observed: [] }, []],
  [
    'a restart when the pod template of a running workload differs',
    { name: 'a/1', before: [engine('x')], after: [engine('y')], observed: [engine('x')] },
    [{ action: 'update', fields: ['spec.template.spec.image'], restarts: true }],
  ],
  [
    'no restart when the workload does not run yet',
    { name: 'a/1', before: [engine('x')], after: [engine('y')], observed: [] },
    [{ action: 'update', restarts: false }],
  ],
  [
    'no restart when only its size differs',
    { name: 'a/1', before: [engine('x', 1)], after: [engine('x', 2)], observed: [engine('x')] },
    [{ action: 'update', fields: ['spec.replicas'], restarts: false }],
  ],
  [
    'a restart when a running workload would go',
    { name: 'a/1', before: [engine('x')], after: [], observed: [engine('x')] },
    [{ action: 'delete', restarts: true }],
  ],
  [
    'what is new beside what changes',
    { name: 'a/1', before: [pool(1)], after: [pool(2), engine('x')], observed: [pool(1)] },
    [
      { object: 'NodeGroup "pool-a"', action: 'update', fields: ['spec.size'], restarts: false },
      { object: 'Deployment "workload-engine"', action: 'create', restarts: false },
    ],
  ],
];

test.each(rows)('the upgrade diff shows %s', (_name, comparison, changes) => {
  const found = compareComposed(comparison);
  expect(found).toMatchObject(changes);
  expect(found.length).toBe(changes.length);
});

test('restarts come first in the text', () => {
  const changes = [
    ...compareComposed({ name: 'a/1', before: [pool(1)], after: [pool(2)], observed: [] }),
    ...compareComposed({ name: 'b/1', before: [engine('x')], after: [engine('y')], observed: [engine('x')] }),
  ];
  expect(formatChanges('v0.1.0', 2, changes).split('\n')).toEqual([
    '2 golden cases of v0.1.0, rendered by this tree: 2 objects differ, 1 running workloads restart',
    'RESTARTS  b/1  Deployment "workload-engine": spec.template.spec.image',
    'update    a/1  NodeGroup "pool-a": spec.size',
  ]);
});
