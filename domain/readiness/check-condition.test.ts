import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { checkCondition } from './check-condition.ts';
import type { Readiness } from './judge-readiness.ts';

interface Sample {
  readonly status?: unknown;
}

function object({ status }: Sample): KubernetesObject {
  const known = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'a', generation: 3 },
  };
  return status === undefined ? known : { ...known, status };
}

function condition(status: string, observedGeneration?: number) {
  return { type: 'Accepted', status, ...(observedGeneration === undefined ? {} : { observedGeneration }) };
}

const table: readonly [string, unknown, Readiness][] = [
  ['it is accepted', { conditions: [condition('True', 3)] }, 'Ready'],
  ['it is accepted and nobody says for which generation', { conditions: [condition('True')] }, 'Ready'],
  ['it is refused', { conditions: [condition('False', 3)] }, 'NotReady'],
  ['it is in doubt', { conditions: [condition('Unknown', 3)] }, 'Unknown'],
  ['S5 an older generation was accepted', { conditions: [condition('True', 2)] }, 'Unknown'],
  ['S5 an older generation was refused', { conditions: [condition('False', 2)] }, 'Unknown'],
  ['another condition is True', { conditions: [{ type: 'Programmed', status: 'True' }] }, 'Unknown'],
  [
    'the AI gateway refuses it by a type of its own',
    { conditions: [{ type: 'NotAccepted', status: 'False' }] },
    'NotReady',
  ],
  ['it has no status', undefined, 'Unknown'],
  ['its status is empty', {}, 'Unknown'],
  ['its conditions cannot be read', { conditions: 'fine' }, 'Unknown'],
  ['its only parent accepts it', { parents: [{ conditions: [condition('True', 3)] }] }, 'Ready'],
  [
    'one of two parents refuses it',
    { parents: [{ conditions: [condition('True', 3)] }, { conditions: [condition('False', 3)] }] },
    'NotReady',
  ],
  [
    'one of two ancestors has not caught up',
    { ancestors: [{ conditions: [condition('True', 3)] }, { conditions: [condition('True', 2)] }] },
    'Unknown',
  ],
  [
    'one of two ancestors has not said anything, so that not all of them agree',
    { ancestors: [{ conditions: [condition('True', 3)] }, { conditions: [] }] },
    'Unknown',
  ],
  ['it has no parent yet', { parents: [] }, 'Unknown'],
];

test.each(table)('checkCondition says what is proven when %s', (_name, status, expected) => {
  expect(checkCondition('Accepted')(object({ status }))).toBe(expected);
});

const someAnswer = fc.record({
  status: fc.constantFrom('True', 'False', 'Unknown'),
  observedGeneration: fc.constantFrom(2, 3),
});

test('S5 checkCondition is Ready only when every parent accepts the generation of now, in any order', () => {
  fc.assert(
    fc.property(fc.array(someAnswer, { minLength: 1, maxLength: 4 }), (answers) => {
      const parents = answers.map((answer) => ({ conditions: [{ type: 'Accepted', ...answer }] }));
      const judged = checkCondition('Accepted')(object({ status: { parents } }));
      const current = answers.filter(({ observedGeneration }) => observedGeneration === 3);
      const isReady = answers.length === current.length && current.every(({ status }) => status === 'True');
      expect([judged === 'Ready', judged === 'NotReady']).toEqual([
        isReady,
        current.some(({ status }) => status === 'False'),
      ]);
      expect(checkCondition('Accepted')(object({ status: { parents: parents.toReversed() } }))).toBe(judged);
    }),
  );
});
