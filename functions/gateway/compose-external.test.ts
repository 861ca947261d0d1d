import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKubernetesObject, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import { runFunction } from '../run-function.ts';
import { composeGateway } from './compose.ts';

type Observed = ReadonlyMap<string, KubernetesObject>;

interface World {
  readonly routes?: readonly unknown[];
  readonly allowed?: unknown;
  readonly engineReady?: string;
  readonly observed?: Observed;
  readonly httpRoute?: KubernetesObject | undefined;
}

const ours = 'modelberth.dev/v1alpha1';
const hosted = {
  type: 'ExternalEndpoint',
  priority: 1,
  externalEndpoint: {
    name: 'hosted',
    hostname: 'api.vendor.example',
    modelName: 'large',
    apiKeySecretRef: { name: 'vendor-key' },
  },
};
const both = [{ deploymentName: 'llama' }, hosted];
const programmed = { conditions: [{ type: 'Programmed', status: 'True' }] };

function fetched({ allowed = ['api.vendor.example'], engineReady = 'True', httpRoute }: World) {
  const spec = {
    clusterName: 'europe',
    hostnames: { api: 'api.example.com' },
    tls: { type: 'Secret', secretName: 'tls' },
    modelNamespaces: ['team-a'],
  };
  const features = { AIGateway: true, EnvoyGateway: true, GatewayAPI: true };
  const status = { features, ...(allowed === 'silent' ? {} : { externalEndpoints: allowed }) };
  const gateway = { apiVersion: ours, kind: 'InferenceGateway', metadata: { name: 'main' }, spec, status };
  const replica = {
    apiVersion: ours,
    kind: 'ModelReplica',
    metadata: { name: 'llama-0', generation: 4 },
    spec: { traffic: 'Serve' },
    status: {
      conditions: [{ type: 'EngineReady', status: engineReady }],
      engine: { endpoint: { service: 'llama-0', port: 8000, protocols: ['OpenAI', 'Anthropic'] } },
    },
  };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'llama-0-x', labels: { 'kubernetes.io/service-name': 'llama-0' } },
    endpoints: engineReady === 'True' ? [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] : [],
  };
  const gatewayApi = 'gateway.networking.k8s.io/v1';
  return {
    gateway: [gateway],
    'replicas-llama': [replica],
    'endpoints-llama': [slice],
    'gateway-object': [{ apiVersion: gatewayApi, kind: 'Gateway', metadata: { name: 'main' }, status: programmed }],
    'http-route': httpRoute === undefined ? [] : [httpRoute],
  };
}

/** Calls the function as Crossplane does, bytes to bytes. */
function call(world: World): RunFunctionResponse {
  const metadata = { name: 'llama', namespace: 'team-a', uid: 'u1', creationTimestamp: '2026-12-01T00:00:00Z' };
  const spec = { gatewayName: 'main', routes: world.routes ?? both };
  const request = RunFunctionRequest.fromPartial({
    observed: {
      composite: { resource: { apiVersion: ours, kind: 'ModelService', metadata, spec } },
      resources: Object.fromEntries(
        [...(world.observed ?? [])].map(([key, resource]) => [key, { resource: { ...resource } }]),
      ),
    },
    requiredResources: Object.fromEntries(
      Object.entries(fetched(world)).map(([name, items]) => [
        name,
        { items: items.map((resource) => ({ resource })) as never },
      ]),
    ),
  });
  const answer = runFunction('gateway', composeGateway, RunFunctionRequest.encode(request).finish(), {
    now: () => new Date('2026-12-01T12:00:00Z'),
    randomKey: () => 'unused',
    ttlSeconds: 60,
    onError: (error) => {
      throw error;
    },
  });
  return RunFunctionResponse.decode(answer.bytes);
}

/** What an answer leaves in the cluster: its objects, accepted, and the HTTPRoute that the AI gateway makes. */
function settle(response: RunFunctionResponse): Required<Pick<World, 'observed' | 'httpRoute'>> {
  const conditions = ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True' }));
  const observed = new Map<string, KubernetesObject>();
  for (const [key, { resource }] of Object.entries(response.desired?.resources ?? {})) {
    if (!isKubernetesObject(resource)) throw new Error(`${key} is no object`);
    observed.set(key, { ...resource, status: { conditions } });
  }
  const backends = new Map(
    [...observed.values()].map((object) => [object.metadata.name, readPath(object, ['spec', 'backendRef', 'name'])]),
  );
  const rules = readList(observed.get('gateway-route'), ['spec', 'rules']).map((rule) => ({
    backendRefs: readList(rule, ['backendRefs']).map((ref) => ({
      name: backends.get(String(readPath(ref, ['name']))),
      weight: readPath(ref, ['weight']),
    })),
  }));
  const httpRoute = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'llama', namespace: 'team-a' },
    spec: { rules },
    status: { parents: [{ conditions }] },
  };
  return { observed, httpRoute };
}

/** One pass after another until what is composed is what is observed. */
function converge(world: World = {}): Required<Pick<World, 'observed' | 'httpRoute'>> {
  let state = settle(call(world));
  for (let pass = 0; pass < 3; pass += 1) state = settle(call({ ...world, ...state }));
  return state;
}

const keysOf = (response: RunFunctionResponse) => Object.keys(response.desired?.resources ?? {}).sort();
const refsOf = (response: RunFunctionResponse) =>
  readList(response.desired?.resources['gateway-route']?.resource, ['spec', 'rules']).flatMap((rule) =>
    readList(rule, ['backendRefs']).map((ref) => readPath(ref, ['modelNameOverride'])),
  );
const routable = (response: RunFunctionResponse) => [response.conditions[0]?.status, response.conditions[0]?.reason];
const rowsOf = (response: RunFunctionResponse) =>
  readList(response.desired?.composite?.resource, ['status', 'resources']);
const endpointsOf = (response: RunFunctionResponse) =>
  readList(response.desired?.composite?.resource, ['status', 'endpoints']);

test('L45 no request goes outside before the endpoint, its TLS and its key exist', () => {
  const first = call({});
  expect(keysOf(first)).toContain('gateway-external-key-hosted');
  expect(refsOf(first)).toEqual(['team-a/llama', 'team-a/llama']);
  expect(rowsOf(first)).toContainEqual({
    name: 'hosted',
    kind: 'ExternalEndpoint',
    state: 'Planned',
    why: 'api.vendor.example gets requests at priority 1 once its TLS and key are in place',
  });
  expect(rowsOf(call(settle(first))).map((row) => readPath(row, ['kind']))).not.toContain('ExternalEndpoint');
  expect(refsOf(call(settle(first)))).toEqual(['team-a/llama', 'large', 'team-a/llama', 'large']);
});

test('L45 a replica that serves is routable, and its fallback is said', () => {
  const answer = call(converge());
  expect(routable(answer)).toEqual([2, 'Routed']);
  expect(answer.conditions[0]?.message).toContain('"hosted" answers when no replica is ready');
  const row = { external: 'hosted', hostname: 'api.vendor.example', schema: 'OpenAI', weight: 1, priority: 1 };
  expect(endpointsOf(answer)).toEqual([{ replica: 'llama-0', weight: 1, routable: true, generation: 4 }, row]);
});

test('L45 S5 the fallback answers when every replica is lost, and is not called ready', () => {
  const lost = { engineReady: 'False' };
  const answer = call({ ...lost, ...converge(lost) });
  expect(routable(answer)).toEqual([1, 'ExternalEndpoint']);
  expect(answer.desired?.composite?.ready).toBe(2);
  const [replica] = readList(answer.desired?.resources['gateway-route']?.resource, ['spec', 'rules']);
  expect(readList(replica, ['backendRefs']).map((ref) => readPath(ref, ['weight']))).toEqual([0, 1]);
});

test('a service of nothing but an external endpoint has a route once its objects exist', () => {
  const routes = [hosted];
  const first = call({ routes });
  expect(keysOf(first).filter((key) => !key.startsWith('gateway-external-'))).toEqual([]);
  expect(routable(first)).toEqual([1, 'NotObserved']);
  expect(routable(call({ routes, ...converge({ routes }) }))).toEqual([1, 'ExternalEndpoint']);
});

test('L44 an endpoint that the platform does not allow is refused with the field and the owner, and the rest serves', () => {
  const answer = call({ allowed: [], ...converge({ allowed: [] }) });
  expect(keysOf(answer).filter((key) => key.startsWith('gateway-external-'))).toEqual([]);
  expect(routable(answer)).toEqual([2, 'GuardrailRefused']);
  expect(answer.conditions[0]?.message).toContain(
    'spec.routes[1].externalEndpoint.hostname is "api.vendor.example", and InferenceCluster "europe" allows none',
  );
  expect(answer.results.map(({ reason, severity }) => [reason, severity])).toContainEqual(['GuardrailRefused', 2]);
});

const stricter: readonly [string, unknown][] = [
  ['the list becomes empty', []],
  ['the gateway stops saying it', 'silent'],
  ['the list cannot be read', 'all'],
];

test.each(stricter)('S1 an external endpoint that runs is kept when %s', (_name, allowed) => {
  const before = converge();
  const answer = call({ ...before, allowed });
  for (const [key, object] of before.observed) {
    expect(answer.desired?.resources[key]?.resource?.spec, key).toEqual(object.spec);
  }
  expect(routable(answer)).toEqual([2, 'Routed']);
});

test('S1 an edit to a host that is not allowed leaves the endpoint where it was, and says so', () => {
  const before = converge();
  const edited = { ...hosted.externalEndpoint, hostname: 'models.other.example', modelName: 'small' };
  const { apiKeySecretRef: _key, ...keyless } = edited;
  const answer = call({ ...before, routes: [both[0], { ...hosted, externalEndpoint: keyless }] });
  for (const [key, object] of before.observed) {
    expect(answer.desired?.resources[key]?.resource?.spec, key).toEqual(object.spec);
  }
  expect(routable(answer)).toEqual([2, 'GuardrailRefused']);
});

test('an external endpoint that leaves the claim leaves the route first and its objects one pass later', () => {
  const before = converge();
  const routes = [both[0]];
  const first = call({ ...before, routes });
  expect(keysOf(first)).toEqual([...before.observed.keys()].sort());
  expect(refsOf(first)).not.toContain('large');
  const second = call({ ...settle(first), routes });
  expect(keysOf(second).filter((key) => key.startsWith('gateway-external-'))).toEqual([]);
});

test('S3 the same state gives the same bytes', () => {
  const before = converge();
  expect(call(before)).toEqual(call(before));
});

test('S1 nothing of an external endpoint is lost, whatever is observed, allowed and ready', () => {
  const whole = converge();
  const keys = fc.subarray([...whole.observed.keys()]);
  const allowed = fc.constantFrom<unknown>([], ['api.vendor.example'], 'silent', 7);
  fc.assert(
    fc.property(keys, allowed, fc.constantFrom('True', 'False', 'Unknown'), (parts, rule, engineReady) => {
      const observed = new Map([...whole.observed].filter(([key]) => parts.includes(key)));
      const emitted = keysOf(call({ observed, httpRoute: whole.httpRoute, allowed: rule, engineReady }));
      expect([...observed.keys()].filter((key) => !emitted.includes(key))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
