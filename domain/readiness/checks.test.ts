import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { checks } from './checks.ts';
import { judgeReadiness, type Readiness } from './judge-readiness.ts';

function object(kind: string, status?: Readonly<Record<string, unknown>>): KubernetesObject {
  const known = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a', generation: 1 } };
  return status === undefined ? known : { ...known, status };
}

/** Kinds whose status says nothing about whether they work: they do once they exist. */
const existing = [
  'ControllerRevision',
  'EnvoyProxy',
  'GatewayConfig',
  'Job',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'PodMonitor',
  'ResourceClaimTemplate',
  'Secret',
  'Service',
];

/** Kinds that prove themselves by one condition, and by which. */
const byCondition: readonly [string, string][] = [
  ['AIGatewayRoute', 'Accepted'],
  ['AIServiceBackend', 'Accepted'],
  ['Backend', 'Accepted'],
  ['BackendSecurityPolicy', 'Accepted'],
  ['BackendTrafficPolicy', 'Accepted'],
  ['Certificate', 'Ready'],
  ['ClientTrafficPolicy', 'Accepted'],
  ['ClusterUsage', 'Ready'],
  ['Gateway', 'Programmed'],
  ['GatewayClass', 'Accepted'],
  ['HTTPRoute', 'Accepted'],
  ['LaunchTemplate', 'Ready'],
  ['ModelReplica', 'Ready'],
  ['SecurityPolicy', 'Accepted'],
  ['Usage', 'Ready'],
];

test('every kind that has a check is in one of the tables of this file', () => {
  const known = [...existing, ...byCondition.map(([kind]) => kind), 'LeaderWorkerSet', 'Deployment', 'NodeGroup'];
  expect(Object.keys(checks).sort()).toEqual(known.sort());
});

test.each(existing)('%s is Ready once it exists, whatever its status', (kind) => {
  const judged = [object(kind), object(kind, {}), object(kind, { conditions: [] })].map(judgeReadiness);
  expect(judged).toEqual(['Ready', 'Ready', 'Ready']);
});

test.each([...byCondition.map(([kind]) => kind), 'LeaderWorkerSet', 'Deployment', 'NodeGroup'])(
  'S5 %s is Unknown without a status and on an empty one',
  (kind) => {
    expect([object(kind), object(kind, {})].map(judgeReadiness)).toEqual(['Unknown', 'Unknown']);
  },
);

test.each(byCondition)('S5 %s is judged by its condition %s and by no other', (kind, type) => {
  const statuses = ['True', 'False', 'Unknown'];
  const own = statuses.map((status) => judgeReadiness(object(kind, { conditions: [{ type, status }] })));
  const other = judgeReadiness(object(kind, { conditions: [{ type: 'Healthy', status: 'True' }] }));
  expect([...own, other]).toEqual(['Ready', 'NotReady', 'Unknown', 'Unknown']);
});

const liars: readonly [string, KubernetesObject, Readiness][] = [
  [
    'S5 L11 a node group says Ready after its creation failed',
    object('NodeGroup', { conditions: [{ type: 'Ready', status: 'True' }], atProvider: { status: 'CREATE_FAILED' } }),
    'Unknown',
  ],
  [
    'L39 a Deployment says Available and has no pod',
    object('Deployment', { observedGeneration: 1, conditions: [{ type: 'Available', status: 'True' }] }),
    'NotReady',
  ],
  [
    'S5 a kind has no check',
    object('LeaderWorkerSet', { conditions: [{ type: 'Available', status: 'True' }] }),
    'Unknown',
  ],
  ['S5 a kind is named like what every object inherits', object('constructor', {}), 'Unknown'],
];

test.each(liars)('judgeReadiness is not deceived when %s', (_name, observed, expected) => {
  expect(judgeReadiness(observed)).toBe(expected);
});
