import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { readCases, readExpected } from '../../test/render/read-cases.ts';
import { runVerb } from '../../test/run-verb.ts';
import { doctorCommand } from './doctor-command.ts';
import { findLacks } from './find-lacks.ts';

const api = 'modelberth.dev/v1alpha1';

function object(kind: string, name: string, rest: Record<string, unknown> = {}): KubernetesObject {
  return { apiVersion: api, kind, metadata: { name }, ...rest } as KubernetesObject;
}

function cluster(...parts: readonly Record<string, unknown>[]): KubernetesObject {
  const all = [{ name: 'GatewayAPI', state: 'Installed' }, ...parts];
  return object('InferenceCluster', 'europe', {
    spec: { eks: { name: 'inference-europe' }, maxNodeGroups: 2 },
    status: { parts: all },
  });
}

function packaged(kind: string, name: string, version: string): KubernetesObject {
  const place = name === 'modelberth' ? 'configuration' : name;
  const spec = { package: `registry.example.org/modelberth/${place}:${version}` };
  return { apiVersion: 'pkg.crossplane.io/v1', kind, metadata: { name }, spec };
}

function group(name: string): KubernetesObject {
  const spec = { forProvider: { clusterName: 'inference-europe' } };
  return { apiVersion: 'eks.aws.m.upbound.io/v1beta1', kind: 'NodeGroup', metadata: { name, namespace: 'chat' }, spec };
}

const forbidden = 'Timeout: failed waiting for *unstructured.Unstructured Informer to sync';

const rows: readonly [string, readonly KubernetesObject[], readonly Record<string, unknown>[]][] = [
  ['nothing where all is there', [cluster()], []],
  [
    'a part that every replica needs, with the command that installs it',
    [cluster({ name: 'ProviderAWS', state: 'Missing', fix: 'install provider-aws-eks' })],
    [
      {
        subject: 'InferenceCluster "europe"',
        found: 'ProviderAWS: missing',
        command: 'kubectl apply -f package/activation.yaml',
        isNeeded: true,
      },
    ],
  ],
  [
    'a part that is too old, and what it is good for',
    [cluster({ name: 'LeaderWorkerSet', state: 'Unsuitable', version: '0.6', found: 'too old', without: 'no gangs' })],
    [{ found: 'LeaderWorkerSet: unsuitable (0.6, too old); without it no gangs', isNeeded: false }],
  ],
  ['a cluster that has not been looked at', [object('InferenceCluster', 'new', { spec: {} })], [{ isNeeded: true }]],
  [
    'the rights of Crossplane, by the words in which it misses them',
    [
      object('ModelReplica', 'mimo-0', {
        status: { conditions: [{ type: 'Synced', status: 'False', message: forbidden }] },
      }),
    ],
    [{ subject: 'ModelReplica "mimo-0"', command: 'kubectl apply -f package/rbac/crossplane.yaml', isNeeded: true }],
  ],
  [
    'a Function of an older release than the Configuration',
    [packaged('Configuration', 'modelberth', 'v0.2.0'), packaged('Function', 'placement', 'v0.1.0')],
    [
      {
        subject: 'Function "placement"',
        found: 'release v0.1.0, others v0.2.0',
        command: `kubectl patch function.pkg.crossplane.io placement --type merge -p '{"spec":{"package":"registry.example.org/modelberth/placement:v0.2.0"}}'`,
      },
    ],
  ],
  [
    'a class that a claim names and that is not there, and those that are',
    [
      object('ModelDeployment', 'mimo', { spec: { placement: { classes: ['l4', 'l40'] } } }),
      object('InferenceClass', 'l4'),
    ],
    [{ found: 'names InferenceClass "l40", which is not there; there are: l4' }],
  ],
  [
    'a gateway that a service names and that is not there',
    [object('ModelService', 'mimo', { spec: { gatewayName: 'inference' } })],
    [{ found: 'names InferenceGateway "inference", which is not there; there are: none' }],
  ],
  [
    'room for another node group',
    [cluster(), group('a'), group('b')],
    [
      {
        found: '2 node groups of at most 2: no other one can be asked for; EKS has a quota of its own',
        isNeeded: true,
      },
    ],
  ],
  ['nothing while there is room', [cluster(), group('a')], []],
];

describe('findLacks finds', () => {
  test.each(rows)('%s', (_name, objects, lacks) => {
    expect(findLacks(objects)).toMatchObject(lacks);
    expect(findLacks(objects).length).toBe(lacks.length);
  });

  test('in what the golden case of a cluster without a part leaves, that part', () => {
    const step = readCases().find(({ name }) => name === 'cluster/1-empty');
    if (step === undefined) throw new Error('no such case');
    const { composite } = readExpected(step) as { composite: KubernetesObject };
    const lacks = findLacks([{ ...step.xr, status: composite.status } as KubernetesObject]);
    expect(lacks.length).toBeGreaterThan(0);
    expect(lacks.every(({ command }) => command !== '')).toBe(true);
  });
});

test('doctor ends with 1 and says so when something that is claimed lacks something', async () => {
  const { code, out } = await runVerb(doctorCommand, ['--live', 'examples/poc-2']);
  expect(code).toBe(1);
  expect(out).toContain('LACKS  InferenceCluster "europe": nothing is known of its parts yet\n       kubectl describe');
});

test('doctor prints the same as JSON', async () => {
  const { out } = await runVerb(doctorCommand, ['--live', 'examples/poc-2', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({ lacks: [{ subject: 'InferenceCluster "europe"', isNeeded: true }] });
});
