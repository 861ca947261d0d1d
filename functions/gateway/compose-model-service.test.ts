import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKubernetesObject, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import { runFunction } from '../run-function.ts';
import { composeGateway } from './compose.ts';

type Observed = ReadonlyMap<string, KubernetesObject>;
type Fetched = Readonly<Record<string, readonly unknown[] | undefined>>;

/** The state of a service's world; what is fetched is by the name of its requirement. */
interface World {
  readonly spec?: Record<string, unknown>;
  readonly status?: unknown;
  readonly observed?: Observed;
  readonly fetched?: Fetched;
}

const ours = 'modelberth.dev/v1alpha1';
const smallest = { gatewayName: 'main', routes: [{ deploymentName: 'llama' }] };

function inferenceGateway(status: unknown, modelNamespaces = ['team-a']): KubernetesObject {
  const tls = { type: 'Secret', secretName: 'tls' };
  const spec = { clusterName: 'eu', hostnames: { api: 'api.example.com' }, tls, modelNamespaces };
  return { apiVersion: ours, kind: 'InferenceGateway', metadata: { name: 'main' }, spec, status };
}

interface ReplicaState {
  readonly traffic?: string;
  readonly ready?: string;
  readonly status?: unknown;
}

function replica(name: string, { traffic = 'Serve', ready = 'True', status }: ReplicaState = {}): KubernetesObject {
  const said = {
    conditions: [{ type: 'EngineReady', status: ready }],
    engine: { endpoint: { service: name, port: 8000, protocols: ['OpenAI', 'Anthropic'] } },
  };
  return {
    apiVersion: ours,
    kind: 'ModelReplica',
    metadata: { name, generation: 4 },
    spec: { traffic },
    status: status ?? said,
  };
}

function slice(service: string, ready = true): KubernetesObject {
  const endpoints = [{ addresses: ['10.0.0.1'], conditions: { ready } }];
  const labels = { 'kubernetes.io/service-name': service };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-x`, labels },
    endpoints,
  };
}

const features = { AIGateway: true, EnvoyGateway: true, GatewayAPI: true };
const gatewayObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'main' },
  status: { conditions: [{ type: 'Programmed', status: 'True' }] },
};
const ready: Fetched = {
  gateway: [inferenceGateway({ features })],
  'replicas-llama': [replica('llama-0')],
  'endpoints-llama': [slice('llama-0')],
  'gateway-object': [gatewayObject],
};

/** Calls the function as Crossplane does, bytes to bytes. */
function call({ spec = smallest, status, observed = new Map(), fetched = ready }: World): RunFunctionResponse {
  const metadata = { name: 'llama', namespace: 'team-a', uid: 'u1', creationTimestamp: '2026-12-01T00:00:00Z' };
  const xr = { apiVersion: ours, kind: 'ModelService', metadata, spec, ...(status === undefined ? {} : { status }) };
  const known = Object.entries(fetched).filter(([, items]) => items !== undefined);
  const request = RunFunctionRequest.fromPartial({
    observed: {
      composite: { resource: xr },
      resources: Object.fromEntries([...observed].map(([key, resource]) => [key, { resource: { ...resource } }])),
    },
    requiredResources: Object.fromEntries(
      known.map(([name, items]) => [name, { items: (items ?? []).map((resource) => ({ resource })) as never }]),
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

/** The composed objects of an answer as their controllers accept them, and the HTTPRoute that the AI gateway makes. */
function settle(response: RunFunctionResponse): { observed: Observed; httpRoute: KubernetesObject } {
  const observed = new Map<string, KubernetesObject>();
  const conditions = ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True' }));
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
  const metadata = { name: 'llama', namespace: 'team-a' };
  const status = { parents: [{ conditions }] };
  return {
    observed,
    httpRoute: { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata, spec: { rules }, status },
  };
}

/** One pass after another until what is composed is what is observed. */
function converge(
  fetched: Fetched,
  spec = smallest,
): { answer: RunFunctionResponse; observed: Observed; fetched: Fetched } {
  let world: { observed: Observed; fetched: Fetched } = { observed: new Map(), fetched };
  for (let pass = 0; pass < 3; pass += 1) {
    const { observed, httpRoute } = settle(call({ spec, ...world }));
    world = { observed, fetched: { ...fetched, 'http-route': [httpRoute] } };
  }
  return { answer: call({ spec, ...world }), ...world };
}

const keysOf = (response: RunFunctionResponse) => Object.keys(response.desired?.resources ?? {}).sort();
const endpointsOf = (response: RunFunctionResponse) =>
  readList(response.desired?.composite?.resource, ['status', 'endpoints']);
const routable = (response: RunFunctionResponse) => [response.conditions[0]?.status, response.conditions[0]?.reason];
const rowOf = (response: RunFunctionResponse, kind: string) =>
  readList(response.desired?.composite?.resource, ['status', 'resources']).find(
    (row) => readPath(row, ['kind']) === kind,
  );

test('L33 a service is routable only when route, gateway and endpoint are proven', () => {
  const first = call({});
  expect(routable(first)).toEqual([1, 'NotObserved']);
  expect(first.desired?.composite?.ready).toBe(2);
  const { answer } = converge(ready);
  expect(routable(answer)).toEqual([2, 'Routed']);
  expect(answer.desired?.composite?.ready).toBe(1);
  expect(endpointsOf(answer)).toEqual([{ replica: 'llama-0', weight: 1, routable: true, generation: 4 }]);
  expect(rowOf(answer, 'AIGatewayRoute')).toEqual({
    name: 'llama',
    kind: 'AIGatewayRoute',
    state: 'Ready',
    why: 'accepted',
  });
});

test('a route without a ready replica answers 503, and says so', () => {
  const waiting = { ...ready, 'replicas-llama': [replica('llama-0', { ready: 'False' })], 'endpoints-llama': [] };
  const { answer } = converge(waiting);
  expect(routable(answer)).toEqual([3, 'NoEndpoint']);
  expect(rowOf(answer, 'AIGatewayRoute')).toEqual({
    name: 'llama',
    kind: 'AIGatewayRoute',
    state: 'NoEndpoint',
    why: 'answers 503: no ready replica',
  });
});

test('a service without a replica has its route planned', () => {
  const answer = call({ fetched: { ...ready, 'replicas-llama': [], 'endpoints-llama': [] } });
  expect(keysOf(answer)).toEqual([]);
  expect(rowOf(answer, 'AIGatewayRoute')).toMatchObject({ state: 'Planned' });
});

test('a replica that drains has weight 0 in the route, and in the status once the gateway has it', () => {
  const two = {
    ...ready,
    'replicas-llama': [replica('llama-0'), replica('llama-1')],
    'endpoints-llama': [slice('llama-0'), slice('llama-1')],
  };
  const before = converge(two);
  const drained = {
    ...before.fetched,
    'replicas-llama': [replica('llama-0', { traffic: 'Drain' }), replica('llama-1')],
  };
  const first = call({ observed: before.observed, fetched: drained });
  expect(endpointsOf(first)[0]).toMatchObject({ replica: 'llama-0', weight: 1 });
  const after = converge(drained);
  expect(endpointsOf(after.answer)).toEqual([
    { replica: 'llama-0', weight: 0, routable: false, generation: 4 },
    { replica: 'llama-1', weight: 1, routable: true, generation: 4 },
  ]);
});

test('a replica that is gone leaves the route first and its backends one pass later', () => {
  const two = {
    ...ready,
    'replicas-llama': [replica('llama-0'), replica('llama-1')],
    'endpoints-llama': [slice('llama-0')],
  };
  const before = converge(two);
  const gone = { ...before.fetched, 'replicas-llama': [replica('llama-0')] };
  const first = call({ observed: before.observed, fetched: gone });
  expect(keysOf(first)).toEqual([...before.observed.keys()].sort());
  const { observed, httpRoute } = settle(first);
  const second = call({ observed, fetched: { ...gone, 'http-route': [httpRoute] } });
  expect(keysOf(second).filter((key) => key.endsWith('llama-1'))).toEqual([]);
  expect(keysOf(second).filter((key) => key.endsWith('llama-0'))).toHaveLength(3);
});

test('the last replica that is gone leaves the route as it was', () => {
  const before = converge(ready);
  const answer = call({
    observed: before.observed,
    fetched: { ...before.fetched, 'replicas-llama': [], 'endpoints-llama': [] },
  });
  expect(keysOf(answer)).toEqual([...before.observed.keys()].sort());
  expect(routable(answer)).toEqual([1, 'NoEndpoint']);
});

test('requirements grow with what is known and are stable by the third call', () => {
  const names = (fetched: Fetched) => Object.keys(call({ fetched }).requirements?.resources ?? {}).sort();
  const bySpec = ['endpoints-llama', 'gateway', 'replicas-llama'];
  const all = ['endpoints-llama', 'gateway', 'gateway-object', 'http-route', 'replicas-llama'];
  expect(names({})).toEqual(bySpec);
  expect(names({ ...ready, 'gateway-object': undefined })).toEqual(all);
  expect(names({ ...ready, 'http-route': [] })).toEqual(all);
  expect(names({ ...ready, gateway: [inferenceGateway({ features: { GatewayAPI: false } })] })).toEqual(bySpec);
  const { requirements } = call({});
  expect(requirements?.resources['http-route']).toMatchObject({ matchName: 'llama', namespace: 'team-a' });
  expect(requirements?.resources['replicas-llama']?.matchLabels?.labels).toEqual({
    'modelberth.dev/deployment': 'llama',
  });
});

test('the same state gives the same bytes, whatever the order in which replicas are listed (S3)', () => {
  const replicas = [replica('llama-0'), replica('llama-1'), replica('llama-2')];
  const answer = (items: readonly KubernetesObject[]) => call({ fetched: { ...ready, 'replicas-llama': items } });
  expect(answer([...replicas].reverse())).toEqual(answer(replicas));
});

const without = (name: string) => ({ [name]: undefined });
const badWorlds: readonly [string, Fetched, Partial<World>, string][] = [
  ['its gateway has not been fetched', without('gateway'), {}, 'WaitingForRequired'],
  ['its gateway does not exist', { gateway: [] }, {}, 'GatewayMissing'],
  [
    'its gateway cannot be read',
    { gateway: [{ ...inferenceGateway({ features }), spec: 'broken' }] },
    {},
    'GatewayMissing',
  ],
  ['the status of its gateway is text', { gateway: [inferenceGateway('broken')] }, {}, 'NotObserved'],
  [
    'its cluster has lost a part',
    { gateway: [inferenceGateway({ features: { ...features, AIGateway: false } })] },
    {},
    'Incomplete',
  ],
  ['its replicas have not been fetched', without('replicas-llama'), {}, 'WaitingForRequired'],
  [
    'the status of a replica is text',
    { 'replicas-llama': [replica('llama-0', { status: 'broken' })] },
    {},
    'InvalidObserved',
  ],
  ['the endpoints have not been fetched', without('endpoints-llama'), {}, 'NotObserved'],
  ['the route has not been fetched', without('http-route'), {}, 'NotObserved'],
  ['a replica has lost its status', { 'replicas-llama': [replica('llama-0', { status: {} })] }, {}, 'Routed'],
  ['its namespace is no longer served', { gateway: [inferenceGateway({ features }, [])] }, {}, 'RouteNotAccepted'],
  ['its spec cannot be read', {}, { spec: { gatewayName: 'main' } }, 'InvalidSpec'],
  ['its own status is text', {}, { status: 'broken' }, 'Routed'],
];

test.each(badWorlds)('nothing of a service that serves is lost when %s (S1)', (_name, fetched, world, reason) => {
  const before = converge(ready);
  const answer = call({ observed: before.observed, ...world, fetched: { ...before.fetched, ...fetched } });
  expect(keysOf(answer)).toEqual([...before.observed.keys()].sort());
  for (const [key, object] of before.observed) {
    expect(answer.desired?.resources[key]?.resource?.spec, key).toEqual(object.spec);
  }
  expect(answer.conditions[0]?.reason).toBe(reason);
  expect(answer.results.filter(({ severity }) => severity === 1)).toEqual([]);
});

test('a freeze keeps what the status said', () => {
  const before = converge(ready);
  const endpoints = endpointsOf(before.answer);
  const answer = call({ observed: before.observed, status: { endpoints }, fetched: {} });
  expect(endpointsOf(answer)).toEqual(endpoints);
});

test('nothing observed is lost but backends of replicas that are gone from the route, whatever is fetched (S1)', () => {
  const names = ['llama-0', 'llama-1', 'llama-2'];
  const whole = converge({ ...ready, 'replicas-llama': names.map((name) => replica(name)) });
  const state = fc.record({
    traffic: fc.constantFrom('Serve', 'Drain', 'Half'),
    ready: fc.constantFrom('True', 'False', 'Unknown'),
  });
  const gateways = fc.constantFrom(undefined, [], [inferenceGateway('broken')], ready.gateway);
  const replicas = fc.option(fc.array(state, { maxLength: 3 }), { nil: undefined });
  const keys = fc.subarray([...whole.observed.keys()]);
  fc.assert(
    fc.property(gateways, replicas, keys, (gateway, states, parts) => {
      const observed = new Map([...whole.observed].filter(([key]) => parts.includes(key)));
      const items = states?.map((one, index) => replica(`llama-${index}`, one));
      const emitted = keysOf(call({ observed, fetched: { ...whole.fetched, gateway, 'replicas-llama': items } }));
      // The HTTPRoute still names every backend, so none may go.
      expect([...observed.keys()].filter((key) => !emitted.includes(key))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test('an object of another kind freezes the step', () => {
  const resource = { apiVersion: ours, kind: 'ModelDeployment', metadata: { name: 'x' } };
  const bytes = RunFunctionRequest.encode(
    RunFunctionRequest.fromPartial({ observed: { composite: { resource } } }),
  ).finish();
  const errors: unknown[] = [];
  const options = {
    now: () => new Date(0),
    randomKey: () => '',
    ttlSeconds: 60,
    onError: (error: unknown) => void errors.push(error),
  };
  const answer = RunFunctionResponse.decode(runFunction('gateway', composeGateway, bytes, options).bytes);
  expect(String(errors[0])).toContain(
    'the gateway step takes InferenceGateway and ModelService, not "ModelDeployment"',
  );
  expect(answer.results.filter(({ severity }) => severity === 1)).toEqual([]);
});
