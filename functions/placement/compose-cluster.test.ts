import { describe, expect, test } from 'vitest';
import { type Feature, featureNames, features } from '../../domain/kubernetes/feature.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { type ComposeParts, composeRequest, helloObject, withSpec } from '../../test/compose-request.ts';
import type { RequiredSchema } from '../compose.ts';
import { composeCluster } from './compose-cluster.ts';

const europe = helloObject('InferenceCluster', 'europe');
const nodes = { apiVersion: 'v1', kind: 'Node', matchLabels: { 'modelberth.dev/node': 'accelerator' } };
const nodeGroups = {
  apiVersion: 'eks.aws.m.upbound.io/v1beta1',
  kind: 'NodeGroup',
  matchLabels: { 'app.kubernetes.io/managed-by': 'modelberth' },
};
const deviceClass = (matchName: string) => ({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', matchName });
/** What tells more of the parts of which the kinds are known. */
const stack: Readonly<Record<string, object>> = {
  'stack-device-class-gpu.amd.com': deviceClass('gpu.amd.com'),
  'stack-device-class-gpu.nvidia.com': deviceClass('gpu.nvidia.com'),
  'stack-envoy-gateway-config': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    matchName: 'envoy-gateway-config',
    namespace: 'envoy-gateway-system',
  },
  ...Object.fromEntries(
    featureNames.flatMap((feature) => {
      const { controller }: Feature = features[feature];
      if (controller === undefined) return [];
      const { namespace, name: matchName } = controller;
      return [[`stack-controller-${feature}`, { apiVersion: 'apps/v1', kind: 'Deployment', matchName, namespace }]];
    }),
  ),
};
const noStack = Object.fromEntries(Object.keys(stack).map((name) => [name, []]));
const nvidia = {
  'stack-device-class-gpu.nvidia.com': [
    { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu.nvidia.com' } },
  ],
};
const schemas = Object.fromEntries(
  featureNames.map((name) => [name, { apiVersion: features[name].apiVersion, kind: features[name].kind }]),
);

function found(
  state: RequiredSchema,
  except: Readonly<Record<string, RequiredSchema>> = {},
): NonNullable<ComposeParts['schemas']> {
  return { ...Object.fromEntries(featureNames.map((name) => [name, state])), ...except };
}

function node(name: string, className: string, ready: string): KubernetesObject {
  const labels = { 'modelberth.dev/node': 'accelerator', 'modelberth.dev/class': className };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  };
}

describe('composeCluster holds everything and waits', () => {
  const message = 'Cannot decide before every required object has been fetched; Crossplane fetches them next';
  const waiting: readonly [string, Partial<ComposeParts>, object][] = [
    ['while nothing has been fetched', {}, { nodes }],
    [
      'while the nodes have not been fetched',
      { schemas: found('Present'), required: { ...noStack, nodeGroups: [] } },
      { ...stack, nodes, nodeGroups },
    ],
    [
      'while the node groups have not been fetched',
      { schemas: found('Present'), required: { ...noStack, nodes: [] } },
      { ...stack, nodes, nodeGroups },
    ],
    [
      'while what tells of a part has not been fetched',
      { schemas: found('Absent', { LeaderWorkerSet: 'Present' }), required: { nodes: [] } },
      { 'stack-controller-LeaderWorkerSet': stack['stack-controller-LeaderWorkerSet'], nodes },
    ],
    [
      'while one schema has not been fetched',
      {
        schemas: found('Present', { PrometheusOperator: 'Unresolved' }),
        required: { ...noStack, nodes: [], nodeGroups: [] },
      },
      { ...stack, nodes, nodeGroups },
    ],
  ];
  test.each(waiting)('S1 %s', (_name, parts, resources) => {
    expect(composeCluster(composeRequest({ xr: europe, ...parts }))).toEqual({
      frozen: true,
      requirements: { resources, schemas },
      conditions: [{ type: 'StackReady', status: 'Unknown', reason: 'WaitingForRequired', message }],
    });
  });

  test('S3 never asking for anything of which the kind is not known, which would fail the whole XR', () => {
    const decision = composeCluster(composeRequest({ xr: europe, schemas: found('Absent'), required: { nodes: [] } }));
    expect(decision.requirements).toEqual({ resources: { nodes }, schemas });
  });
});

describe('composeCluster publishes', () => {
  const required = {
    ...noStack,
    ...nvidia,
    nodes: [node('a', 'l4', 'True'), node('b', 'l4', 'False'), node('c', 'l40s', 'True')],
    nodeGroups: [helloObject('InferenceClass', 'l4'), helloObject('InferenceClass', 'l40s')],
  };

  test('the ledger of all nodes by class, and that every part is there', () => {
    expect(composeCluster(composeRequest({ xr: europe, schemas: found('Present'), required }))).toEqual({
      requirements: { resources: { ...stack, nodes, nodeGroups }, schemas },
      composed: new Map(),
      status: {
        features: Object.fromEntries(featureNames.map((name) => [name, true])),
        parts: expect.arrayContaining([
          { name: 'DRADriver', state: 'Installed', found: 'DeviceClass gpu.nvidia.com' },
          { name: 'KEDA', state: 'Installed' },
        ]),
        ledger: {
          nodes: 3,
          usableNodes: 2,
          nodeGroups: 2,
          classes: [
            { class: 'l4', nodes: 2, usableNodes: 1 },
            { class: 'l40s', nodes: 1, usableNodes: 1 },
          ],
        },
      },
      conditions: [
        {
          type: 'StackReady',
          status: 'True',
          reason: 'Complete',
          message: 'Every part is installed; not seen how it is set up: AIGateway',
        },
      ],
      ready: true,
    });
  });

  test('S6 which parts are missing, sorted, and what to install, without calling the cluster unready for them', () => {
    const absent = found('Present', { PrometheusOperator: 'Absent', CertManager: 'Absent' });
    expect(composeCluster(composeRequest({ xr: europe, schemas: absent, required }))).toMatchObject({
      status: { features: { PrometheusOperator: false, CertManager: false, AIGateway: true } },
      conditions: [
        {
          type: 'StackReady',
          status: 'True',
          reason: 'Complete',
          message:
            'Every part that is needed is installed; without CertManager, gateways get no certificate from an issuer: install cert-manager 1.15 or newer; without PrometheusOperator, nothing scrapes the engines and the gateway: install the Prometheus Operator; not seen how it is set up: AIGateway',
        },
      ],
      ready: true,
    });
  });

  const configured = (text: string) => ({
    'stack-envoy-gateway-config': [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'envoy-gateway-config', namespace: 'envoy-gateway-system' },
        data: { 'envoy-gateway.yaml': text },
      },
    ],
  });
  const settings: readonly [string, string, string][] = [
    ['lacks the extension', 'apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyGateway\n', 'False Incomplete'],
    ['cannot be read', '{ apiVersion: [', 'True Complete'],
  ];
  test.each(settings)('L44 that the configuration of Envoy Gateway %s', (_name, text, expected) => {
    const seen = { ...required, ...configured(text) };
    const { conditions } = composeCluster(composeRequest({ xr: europe, schemas: found('Present'), required: seen }));
    expect(conditions.map(({ status, reason }) => `${status} ${reason}`)).toEqual([expected]);
  });

  test('the version of LeaderWorkerSet, and that every driver is missing', () => {
    const containers = [{ name: 'manager', image: 'registry.k8s.io/lws/lws:v0.9.1' }];
    const controller = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'lws-controller-manager', namespace: 'lws-system' },
      spec: { template: { spec: { containers } } },
    };
    const seen = { ...required, ...noStack, 'stack-controller-LeaderWorkerSet': [controller] };
    expect(composeCluster(composeRequest({ xr: europe, schemas: found('Present'), required: seen }))).toMatchObject({
      status: {
        parts: expect.arrayContaining([
          expect.objectContaining({ name: 'LeaderWorkerSet', version: '0.9.1' }),
          expect.objectContaining({ name: 'DRADriver', state: 'Missing' }),
        ]),
      },
      ready: false,
    });
  });

  test('that devices are not needed as resources where a device plugin hands them out', () => {
    const absent = found('Present', { DynamicResourceAllocation: 'Absent' });
    const ready = (allocation: string) => {
      const xr = withSpec(europe, { allocation });
      const outcome = composeCluster(composeRequest({ xr, schemas: absent, required }));
      return 'frozen' in outcome ? undefined : outcome.ready;
    };
    expect([ready('DRA'), ready('DevicePlugin')]).toEqual([false, true]);
  });

  test('the ledger also where node groups cannot be listed', () => {
    const absent = found('Present', { ProviderAWS: 'Absent' });
    const nothing = { ...noStack, nodes: [] };
    expect(composeCluster(composeRequest({ xr: europe, schemas: absent, required: nothing }))).toMatchObject({
      status: { ledger: { nodes: 0, usableNodes: 0, nodeGroups: 0, classes: [] } },
    });
  });
});

test('S1 composeCluster holds everything and names the field when the spec cannot be used, with the same requirements', () => {
  const wrong = withSpec(europe, { maxNodeGroups: 'many' });
  expect(composeCluster(composeRequest({ xr: wrong }))).toEqual({
    frozen: true,
    requirements: { resources: { nodes }, schemas },
    conditions: [
      {
        type: 'StackReady',
        status: 'Unknown',
        reason: 'InvalidSpec',
        message: expect.stringMatching(
          /^Cannot read InferenceCluster "europe": spec\.maxNodeGroups: .*; correct the field$/,
        ),
      },
    ],
  });
});

describe('L3 composeCluster with a cap for each namespace', () => {
  const capped = withSpec(europe, { guardrails: { perNamespace: { usdPerHour: 1 } } });
  const replicas = {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    matchLabels: { 'app.kubernetes.io/managed-by': 'modelberth' },
  };
  const replica = (name: string, wantedUsdPerHour: number): KubernetesObject => ({
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelReplica',
    metadata: { name, namespace: 'chat' },
    spec: { clusterName: 'europe' },
    status: { usdPerHour: 0, wantedUsdPerHour },
  });
  const fetched = { ...noStack, nodes: [], nodeGroups: [] };
  const compose = (required: ComposeParts['required'], xr = capped) =>
    composeCluster(composeRequest({ xr, schemas: found('Present'), ...(required === undefined ? {} : { required }) }));

  test('S1 holds everything until the replicas have been fetched', () => {
    expect(compose(fetched)).toMatchObject({
      frozen: true,
      requirements: { resources: { ...stack, nodes, nodeGroups, replicas } },
      conditions: [{ type: 'StackReady', reason: 'WaitingForRequired' }],
    });
  });

  test('grants the room to the first, and keeps what it granted before', () => {
    const both = { ...fetched, replicas: [replica('b', 0.8), replica('a', 0.8)] };
    const grants = (first: number, second: number) => [
      { namespace: 'chat', replica: 'a', usdPerHour: first },
      { namespace: 'chat', replica: 'b', usdPerHour: second },
    ];
    expect(compose(both)).toMatchObject({ status: { ledger: { grants: grants(0.8, 0) } } });
    const before = { ...capped, status: { ledger: { grants: grants(0, 0.8) } } };
    expect(compose(both, before)).toMatchObject({ status: { ledger: { grants: grants(0, 0.8) } } });
  });
});
