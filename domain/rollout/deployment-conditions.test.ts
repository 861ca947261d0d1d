import { expect, test } from 'vitest';
import type { Condition } from '../kubernetes/condition.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { type DeploymentFacts, deploymentConditions, isRoutable } from './deployment-conditions.ts';

/** A replica with conditions: `Placed` is True, `!Placed` is False. */
function replica(...types: readonly string[]): KubernetesObject {
  const conditions = types.map((type) =>
    type.startsWith('!') ? { type: type.slice(1), status: 'False' } : { type, status: 'True' },
  );
  return { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelReplica', metadata: {}, status: { conditions } };
}

function service(name: string, routable?: string): KubernetesObject {
  const conditions = routable === undefined ? [] : [{ type: 'Routable', status: routable }];
  return { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelService', metadata: { name }, status: { conditions } };
}

const failedReplica: KubernetesObject = {
  ...replica('Placed', 'EngineReady'),
  metadata: { name: 'llama-0', annotations: { 'modelberth.dev/author-hash': 'c0ffee' } },
  status: {
    conditions: [
      { type: 'Placed', status: 'True' },
      { type: 'EngineReady', status: 'True' },
      { type: 'RolledOut', status: 'False', reason: 'RevisionFailed' },
    ],
  },
};

const done: DeploymentFacts = {
  counts: { wanted: 2, total: 2, updated: 2 },
  observed: [replica('Placed', 'RolledOut', 'EngineReady'), replica('Placed', 'RolledOut', 'EngineReady')],
  services: [service('llama', 'True')],
  authorHash: 'c0ffee',
  mayChange: true,
};

const allTrue: readonly Condition[] = [
  { type: 'Placed', status: 'True', reason: 'ReplicasPlaced', message: '2 of 2 replicas have their nodes' },
  {
    type: 'RolledOut',
    status: 'True',
    reason: 'RevisionLive',
    message: '2 of 2 replicas have the template of the claim, 2 run it',
  },
  { type: 'EngineReady', status: 'True', reason: 'EngineAnswers', message: '2 of 2 engines answer' },
  { type: 'Routable', status: 'True', reason: 'Routed', message: 'Requests are answered by llama' },
];

const table: readonly [string, Partial<DeploymentFacts>, Readonly<Record<number, Condition>>][] = [
  ['everything is proven', {}, {}],
  [
    'one replica has no nodes',
    { observed: [replica('Placed', 'RolledOut', 'EngineReady'), replica('!Placed', 'RolledOut', 'EngineReady')] },
    {
      0: { type: 'Placed', status: 'False', reason: 'WaitingForReplicas', message: '1 of 2 replicas have their nodes' },
    },
  ],
  [
    'one replica has the old template',
    { counts: { ...done.counts, updated: 1 } },
    {
      1: {
        type: 'RolledOut',
        status: 'False',
        reason: 'RollingOut',
        message: '1 of 2 replicas have the template of the claim, 2 run it',
      },
    },
  ],
  [
    'S5 both have the template and one does not run it yet',
    { observed: [replica('Placed', 'RolledOut', 'EngineReady'), replica('Placed', '!RolledOut', 'EngineReady')] },
    {
      1: {
        type: 'RolledOut',
        status: 'False',
        reason: 'RollingOut',
        message: '2 of 2 replicas have the template of the claim, 1 run it',
      },
    },
  ],
  [
    'L40 the template failed on one replica, which runs its last good revision',
    { observed: [failedReplica, replica('Placed', 'RolledOut', 'EngineReady')] },
    {
      1: {
        type: 'RolledOut',
        status: 'False',
        reason: 'RevisionFailed',
        message:
          'The template of the claim failed on ModelReplica "llama-0" and is given to no other: see its condition RolledOut, then change the claim',
      },
    },
  ],
  [
    'a third replica is still draining',
    { counts: { ...done.counts, total: 3 } },
    {
      1: {
        type: 'RolledOut',
        status: 'False',
        reason: 'RollingOut',
        message: '2 of 2 replicas have the template of the claim, 2 run it',
      },
    },
  ],
  [
    'one engine does not answer',
    { observed: [replica('Placed', 'RolledOut', 'EngineReady'), replica('Placed', 'RolledOut', '!EngineReady')] },
    { 2: { type: 'EngineReady', status: 'False', reason: 'WaitingForReplicas', message: '1 of 2 engines answer' } },
  ],
  [
    'S5 the status of one replica cannot be read, and the other one is as it should be',
    { observed: [replica('Placed', 'RolledOut', 'EngineReady'), replica()] },
    {
      0: {
        type: 'Placed',
        status: 'Unknown',
        reason: 'NotObserved',
        message: '1 of 2 replicas have their nodes, 1 unknown',
      },
      1: {
        type: 'RolledOut',
        status: 'Unknown',
        reason: 'NotObserved',
        message: '2 of 2 replicas have the template of the claim, 1 run it, 1 unknown',
      },
      2: { type: 'EngineReady', status: 'Unknown', reason: 'NotObserved', message: '1 of 2 engines answer, 1 unknown' },
    },
  ],
  [
    'S5 one replica says nothing and another one proves that it is not ready',
    { observed: [replica('Placed', 'RolledOut', '!EngineReady'), replica('Placed', 'RolledOut')] },
    {
      2: {
        type: 'EngineReady',
        status: 'False',
        reason: 'WaitingForReplicas',
        message: '0 of 2 engines answer, 1 unknown',
      },
    },
  ],
  [
    'L33 the engines answer and no service is routable',
    { services: [service('b', 'False'), service('a')] },
    {
      3: {
        type: 'Routable',
        status: 'False',
        reason: 'NoEndpoint',
        message: 'Requests to a, b are not answered; see its conditions',
      },
    },
  ],
  [
    'S5 a service has not said anything',
    { services: [service('llama')] },
    { 3: { type: 'Routable', status: 'Unknown', reason: 'NotObserved', message: 'Nothing is known yet of llama' } },
  ],
  [
    'no service routes to it',
    { services: [] },
    {
      3: {
        type: 'Routable',
        status: 'Unknown',
        reason: 'NoService',
        message: 'No ModelService of the namespace routes to this deployment: create one',
      },
    },
  ],
];

test.each(table)('S5 deploymentConditions says what is proven when %s', (_name, changed, differs) => {
  const expected = allTrue.map((condition, index) => differs[index] ?? condition);
  expect(deploymentConditions({ ...done, ...changed })).toEqual(expected);
});

test('deploymentConditions leaves Placed to the step that refused the claim', () => {
  expect(deploymentConditions({ ...done, mayChange: false })).toEqual(allTrue.slice(1));
});

test('S6 deploymentConditions names at most five services, sorted', () => {
  const services = ['f', 'e', 'd', 'c', 'b', 'a'].map((name) => service(name, 'True'));
  expect(deploymentConditions({ ...done, services }).at(-1)?.message).toBe('Requests are answered by a, b, c, d, e');
});

const routable: readonly [string, readonly KubernetesObject[], string][] = [
  ['there is no service', [], 'Unknown'],
  ['one of two answers', [service('a', 'False'), service('b', 'True')], 'True'],
  ['none answers', [service('a', 'False')], 'False'],
  ['one says that it does not and another says nothing', [service('a', 'False'), service('b')], 'False'],
  ['one says Unknown, as after a fatal', [service('a', 'Unknown')], 'Unknown'],
];

test.each(routable)('L33 isRoutable tells whether a request would be answered when %s', (_name, services, expected) => {
  expect(isRoutable(services)).toBe(expected);
});
