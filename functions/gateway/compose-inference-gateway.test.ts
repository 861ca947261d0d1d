import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatewayManifests } from '../../domain/gateway/manifests/gateway-manifests.ts';
import { isKubernetesObject, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import { runFunction } from '../run-function.ts';
import { composeGateway } from './compose.ts';

/** The state of a gateway's world; a requirement that is left out has not been fetched. */
interface World {
  readonly spec?: Record<string, unknown>;
  readonly status?: unknown;
  readonly observed?: ReadonlyMap<string, KubernetesObject>;
  readonly required?: Readonly<Record<string, readonly unknown[]>>;
}

const smallest = {
  clusterName: 'eu',
  hostnames: { api: 'api.example.com' },
  tls: { type: 'Secret', secretName: 'tls' },
};
const issued = { ...smallest, tls: { type: 'Issuer', issuerRef: { name: 'public' } } };
const everyFeature = {
  AIGateway: true,
  CertManager: true,
  EnvoyGateway: true,
  GatewayAPI: true,
  PrometheusOperator: true,
};

function cluster(status: unknown = { features: everyFeature }): KubernetesObject {
  return { apiVersion: 'modelberth.dev/v1alpha1', kind: 'InferenceCluster', metadata: { name: 'eu' }, status };
}

const withCluster = { cluster: [cluster()] };
let keysMade = 0;

/** Calls the function as Crossplane does, bytes to bytes. */
function call({ spec = smallest, status, observed = new Map(), required = withCluster }: World): RunFunctionResponse {
  const xr = {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'InferenceGateway',
    metadata: { name: 'main', uid: 'u1' },
    spec,
  };
  const request = RunFunctionRequest.fromPartial({
    meta: { tag: 't' },
    observed: {
      composite: { resource: status === undefined ? xr : { ...xr, status } },
      resources: Object.fromEntries([...observed].map(([key, resource]) => [key, { resource: { ...resource } }])),
    },
    requiredResources: Object.fromEntries(
      Object.entries(required).map(([name, items]) => [
        name,
        { items: items.map((resource) => ({ resource })) as never },
      ]),
    ),
  });
  const answer = runFunction('gateway', composeGateway, RunFunctionRequest.encode(request).finish(), {
    now: () => new Date('2026-12-01T12:00:00Z'),
    randomKey: () => `random-${++keysMade}`,
    ttlSeconds: 60,
    onError: (error) => {
      throw error;
    },
  });
  return RunFunctionResponse.decode(answer.bytes);
}

/** The composed objects of an answer, with the status that their controllers would give them. */
function settle(response: RunFunctionResponse, accepted: boolean): ReadonlyMap<string, KubernetesObject> {
  const objects = Object.entries(response.desired?.resources ?? {}).map(([key, { resource }]) => {
    if (!isKubernetesObject(resource)) throw new Error(`${key} is no object`);
    const status = accepted ? 'True' : 'False';
    const conditions = ['Accepted', 'Programmed', 'Ready'].map((type) => ({ type, status }));
    const addresses = [{ type: 'Hostname', value: 'a.elb.example' }];
    return [key, { ...resource, status: { conditions, addresses } }] as const;
  });
  return new Map(objects);
}

function condition(response: RunFunctionResponse): Record<string, unknown> {
  const [secured] = response.conditions;
  return { status: secured?.status, reason: secured?.reason };
}

const keysOf = (response: RunFunctionResponse) => Object.keys(response.desired?.resources ?? {}).sort();
const proxyType = (response: RunFunctionResponse) =>
  readPath(response.desired?.resources['gateway-envoy-proxy']?.resource, [
    'spec',
    'provider',
    'kubernetes',
    'envoyService',
    'type',
  ]);

/** A gateway that serves: three passes after its creation. */
function serving(spec: Record<string, unknown>): ReadonlyMap<string, KubernetesObject> {
  let observed: ReadonlyMap<string, KubernetesObject> = new Map();
  for (let pass = 0; pass < 3; pass += 1) observed = settle(call({ spec, observed }), true);
  return observed;
}

test('L21 a gateway gets its policies first, then its Gateway, then its address', () => {
  const first = call({ spec: issued });
  expect(keysOf(first)).not.toContain('gateway-gateway');
  expect(proxyType(first)).toBe('ClusterIP');
  const second = call({ spec: issued, observed: settle(first, false) });
  expect(keysOf(second)).toContain('gateway-gateway');
  expect(proxyType(second)).toBe('ClusterIP');
  expect(second.desired?.composite?.ready).toBe(2);
  expect(readPath(second.desired?.composite?.resource, ['status', 'address'])).toBeUndefined();
  const third = call({ spec: issued, observed: settle(second, true) });
  expect(proxyType(third)).toBe('LoadBalancer');
  const fourth = call({ spec: issued, observed: settle(third, true) });
  expect(fourth.desired?.composite?.ready).toBe(1);
  expect(readPath(fourth.desired?.composite?.resource, ['status', 'address'])).toBe('a.elb.example');
  expect(condition(fourth)).toEqual({ status: 2, reason: 'PoliciesAccepted' });
});

test('L21 a gateway keeps its address when a policy is refused later, and says so', () => {
  const refused = new Map([
    ...serving(smallest),
    ...[...settle(call({}), false)].filter(([key]) => key === 'gateway-deny-policy'),
  ]);
  const answer = call({ observed: refused });
  expect(proxyType(answer)).toBe('LoadBalancer');
  expect(keysOf(answer)).toEqual([...refused.keys()].sort());
  expect(condition(answer)).toEqual({ status: 3, reason: 'PolicyNotAccepted' });
});

test('the key that nobody has is made once, then copied, and shown nowhere', () => {
  const first = call({});
  const made = readPath(first.desired?.resources['gateway-nobody']?.resource, ['data', 'nobody']);
  expect(Buffer.from(String(made), 'base64').toString()).toBe(`random-${keysMade}`);
  const observed = settle(first, true);
  const second = call({ observed });
  expect(readPath(second.desired?.resources['gateway-nobody']?.resource, ['data', 'nobody'])).toBe(made);
  expect(`random-${keysMade}`).toBe(Buffer.from(String(made), 'base64').toString());
  const shown = JSON.stringify([second.desired?.composite, second.conditions, second.results, second.requirements]);
  expect(shown).not.toContain(String(made));
  expect(shown).not.toContain('random-');
});

test('the same state gives the same bytes (S3)', () => {
  const observed = serving(issued);
  expect(call({ spec: issued, observed })).toEqual(call({ spec: issued, observed }));
});

test('requirements are stable by the third call, and the issuer is asked for only where its kind exists', () => {
  const names = (world: World) => Object.keys(call({ spec: issued, ...world }).requirements?.resources ?? {}).sort();
  expect(names({ required: {} })).toEqual(['cluster']);
  expect(names({})).toEqual(['cluster', 'issuer']);
  expect(names({ required: { ...withCluster, issuer: [] } })).toEqual(['cluster', 'issuer']);
  expect(names({ required: { cluster: [cluster({ features: {} })] } })).toEqual(['cluster']);
});

test('L27 an issuer that waits for the address is said', () => {
  const solvers = [{ http01: { ingress: {} } }];
  const issuer = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name: 'public' },
    spec: { acme: { solvers } },
  };
  const observed = new Map([...serving(issued)].filter(([key]) => key !== 'gateway-certificate'));
  const answer = call({ spec: issued, observed, required: { ...withCluster, issuer: [issuer] } });
  expect(condition(answer)).toEqual({ status: 3, reason: 'IssuerNeedsAddress' });
});

test('L20 an open gateway warns once', () => {
  const spec = { ...smallest, auth: { type: 'Anonymous' } };
  const observed = serving(spec);
  const first = call({ spec, observed });
  const warnings = (response: RunFunctionResponse) => response.results.filter(({ reason }) => reason === 'Anonymous');
  expect(warnings(first)).toHaveLength(1);
  const [secured] = first.conditions;
  const status = {
    conditions: [{ type: 'Secured', status: 'True', reason: secured?.reason, message: secured?.message }],
  };
  expect(warnings(call({ spec, observed, status }))).toEqual([]);
});

test('L20 a gateway whose auth is taken away is closed again', () => {
  const observed = serving({ ...smallest, auth: { type: 'Anonymous' } });
  expect([...observed.keys()]).toContain('gateway-caller-policy');
  const answer = call({ observed });
  expect(keysOf(answer)).not.toContain('gateway-caller-policy');
  expect(keysOf(answer)).toContain('gateway-deny-policy');
});

test('a gateway passes on what its cluster has, and shows its listeners', () => {
  const status = readPath(call({ observed: serving(smallest) }).desired?.composite?.resource, ['status']);
  expect(readPath(status, ['features'])).toEqual({ AIGateway: true, EnvoyGateway: true, GatewayAPI: true });
  expect(readList(status, ['listeners']).map((listener) => readPath(listener, ['name']))).toEqual([
    'http',
    'https-api',
  ]);
});

test('L45 a gateway passes on which external endpoints its cluster allows, and nothing where that cannot be read', () => {
  const passed = (guardrails: unknown) => {
    const object = { ...cluster(), spec: { guardrails } };
    return readPath(call({ required: { cluster: [object] } }).desired?.composite?.resource, [
      'status',
      'externalEndpoints',
    ]);
  };
  expect(passed({ externalEndpoints: ['b.example', '.a.example'] })).toEqual(['.a.example', 'b.example']);
  expect(passed(undefined)).toEqual([]);
  expect(passed({ externalEndpoints: 'all' })).toBeUndefined();
});

test('what the cluster lacks is planned and said, and the rest is composed', () => {
  const answer = call({
    spec: issued,
    required: { cluster: [cluster({ features: { ...everyFeature, CertManager: false } })] },
  });
  expect(condition(answer)).toEqual({ status: 3, reason: 'Incomplete' });
  expect(keysOf(answer)).toContain('gateway-deny-policy');
  const rows = readList(answer.desired?.composite?.resource, ['status', 'resources']);
  expect(rows).toContainEqual({
    name: 'main',
    kind: 'Certificate',
    state: 'Planned',
    why: 'composed when the cluster has cert-manager 1.15 or newer',
  });
});

const badWorlds: readonly [string, World, string][] = [
  ['its cluster has not been fetched', { required: {} }, 'WaitingForRequired'],
  ['its cluster does not exist', { required: { cluster: [] } }, 'ClusterMissing'],
  ['the status of its cluster is text', { required: { cluster: [cluster('broken')] } }, 'NotObserved'],
  ['the cluster says nothing of its features', { required: { cluster: [cluster({})] } }, 'NotObserved'],
  ['its spec cannot be read', { spec: { clusterName: 'eu' } }, 'InvalidSpec'],
  ['its own status is text', { status: 'broken' }, 'PoliciesAccepted'],
];

test.each(badWorlds)('nothing of a gateway that serves is lost when %s (S1)', (_name, world, reason) => {
  const observed = serving(issued);
  const answer = call({ spec: issued, observed, ...world });
  expect(keysOf(answer)).toEqual([...observed.keys()].sort());
  expect(proxyType(answer)).toBe('LoadBalancer');
  for (const [key, object] of observed) {
    const emitted = answer.desired?.resources[key]?.resource;
    expect(emitted?.spec, key).toEqual(object.spec);
    expect(emitted?.data, key).toEqual(object.data);
  }
  expect(answer.conditions[0]?.reason).toBe(reason);
  expect(answer.results.filter(({ severity }) => severity === 1)).toEqual([]);
});

test('nothing observed is ever lost, whatever the features, the requirements and the part that is observed (S1)', () => {
  const whole = serving(issued);
  const feature = fc.constantFrom(true, false, undefined, 'yes');
  const features = fc.record({ AIGateway: feature, CertManager: feature, EnvoyGateway: feature, GatewayAPI: feature });
  const clusters = fc.oneof(
    features.map((has) => [cluster({ features: has })]),
    fc.constant([]),
    fc.constant(undefined),
  );
  const keys = fc.subarray(gatewayManifests.map(({ key }) => key));
  fc.assert(
    fc.property(clusters, keys, fc.constantFrom(issued, { clusterName: 7 }), (items, parts, spec) => {
      const observed = new Map([...whole].filter(([key]) => parts.includes(key)));
      const required: Record<string, readonly unknown[]> = items === undefined ? {} : { cluster: items };
      const emitted = keysOf(call({ spec, observed, required }));
      expect([...observed.keys()].filter((key) => !emitted.includes(key))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
