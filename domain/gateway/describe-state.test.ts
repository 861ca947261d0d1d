import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { describeState, type ObjectState } from './describe-state.ts';

function object(kind: string, status?: unknown): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name: 'x', generation: 2 },
    ...(status === undefined ? {} : { status }),
  };
}

function ancestor(status: string, observedGeneration = 2): unknown {
  return { ancestors: [{ conditions: [{ type: 'Accepted', status, reason: 'Invalid', observedGeneration }] }] };
}

const table: readonly [string, KubernetesObject | undefined, ObjectState][] = [
  ['it is not observed', undefined, { ready: false, state: 'Created', why: 'composed; not observed yet' }],
  ['it has no status that matters', object('EnvoyProxy'), { ready: true, state: 'Ready', why: 'exists' }],
  [
    'a policy is accepted',
    object('SecurityPolicy', ancestor('True')),
    { ready: true, state: 'Ready', why: 'accepted' },
  ],
  [
    'a policy is refused',
    object('SecurityPolicy', ancestor('False')),
    { ready: false, state: 'Waiting', why: 'not accepted: Invalid' },
  ],
  ['a policy has no status', object('SecurityPolicy'), { ready: false, state: 'Waiting', why: 'not accepted yet' }],
  [
    'a policy was accepted in another form',
    object('SecurityPolicy', ancestor('True', 1)),
    { ready: false, state: 'Waiting', why: 'not accepted yet' },
  ],
  [
    'its status is text',
    object('SecurityPolicy', 'broken'),
    { ready: false, state: 'Waiting', why: 'not accepted yet' },
  ],
  [
    'the AI gateway refuses it by a type of its own',
    object('BackendSecurityPolicy', {
      conditions: [{ type: 'NotAccepted', status: 'False', reason: 'ReconciliationFailed' }],
    }),
    { ready: false, state: 'Waiting', why: 'not accepted: ReconciliationFailed' },
  ],
  [
    'a Gateway has no Envoy yet',
    object('Gateway', { conditions: [{ type: 'Programmed', status: 'False', reason: 'NoResources' }] }),
    { ready: false, state: 'Waiting', why: 'not programmed: NoResources' },
  ],
  [
    'a certificate is issued',
    object('Certificate', { conditions: [{ type: 'Ready', status: 'True' }] }),
    { ready: true, state: 'Ready', why: 'issued' },
  ],
];

test.each(table)('describeState describes an object from evidence when %s', (_name, observed, expected) => {
  expect(describeState(observed)).toEqual(expected);
});
