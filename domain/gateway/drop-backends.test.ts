import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { dropBackends } from './drop-backends.ts';
import { ExternalEndpoint } from './external-endpoint.ts';
import { type ExternalBackend, replicaOfKey } from './routes/service-facts.ts';
import { renderService } from './routes/service-manifests.ts';

function rendered(
  replicas: readonly string[],
  externals: readonly ExternalBackend[] = [],
): ReadonlyMap<string, KubernetesObject> {
  const gateway = { name: 'main', namespace: 'modelberth-gateway' };
  const protocols = ['OpenAI' as const, 'Anthropic' as const];
  const backends = replicas.map((replica) => ({
    replica,
    deployment: 'llama',
    weight: 1,
    priority: 0,
    endpoint: { service: replica, port: 8000, protocols },
  }));
  const parent = { name: 'chat', namespace: 'team-a', createdAt: undefined, gateway, callerHeader: 'x-caller' };
  return renderService({ ...parent, backends, externals });
}

/** Every object of `all`, and the route over `routed` only. */
function observe(all: readonly string[], routed: readonly string[]): ReadonlyMap<string, KubernetesObject> {
  return new Map([...rendered(all), ...[...rendered(routed)].filter(([key]) => key === 'gateway-route')]);
}

const gone = (replica: string) => [
  `gateway-backend-${replica}`,
  `gateway-openai-${replica}`,
  `gateway-anthropic-${replica}`,
];

const table: readonly [string, readonly string[], readonly string[], readonly string[], readonly string[]][] = [
  ['every replica exists', ['a', 'b'], ['a', 'b'], ['a', 'b'], []],
  ['a replica is gone and the route still names it', ['a', 'b'], ['a', 'b'], ['a'], []],
  ['a replica is gone and the route has let go of it', ['a', 'b'], ['a'], ['a'], gone('b')],
  ['a replica exists that the route does not name', ['a', 'b'], ['a'], ['a', 'b'], []],
  ['the last replica is gone', ['a'], ['a'], [], []],
];

test.each(table)('dropBackends drops by name when %s', (_name, all, routed, replicas, expected) => {
  const dropped = dropBackends({
    service: 'chat',
    observed: observe(all, routed),
    replicas,
    externals: [],
    httpRoute: undefined,
  });
  expect([...dropped.keys()].sort()).toEqual([...expected].sort());
});

test('dropBackends keeps a backend that only the generated HTTPRoute still names', () => {
  const observed = observe(['a', 'b'], ['a']);
  const name = observed.get('gateway-backend-b')?.metadata.name;
  const httpRoute = {
    apiVersion: 'v1',
    kind: 'HTTPRoute',
    metadata: {},
    spec: { rules: [{ backendRefs: [{ name }] }] },
  };
  expect([...dropBackends({ service: 'chat', observed, replicas: ['a'], externals: [], httpRoute }).keys()]).toEqual(
    [],
  );
});

const hosted = ExternalEndpoint.parse({
  name: 'hosted',
  hostname: 'api.vendor.example',
  modelName: 'large',
  apiKeySecretRef: { name: 'vendor-key' },
});
const external = { weight: 1, priority: 1, isPlaced: true, isKeyRefused: false, refusal: undefined };
const hostedKeys = [
  'gateway-external-backend-hosted',
  'gateway-external-key-hosted',
  'gateway-external-service-hosted',
];

const outside: readonly [string, boolean, ExternalEndpoint | 'Refused' | 'Gone', readonly string[]][] = [
  ['the claim names it', true, hosted, []],
  ['the claim names it and the platform refuses all of it', true, 'Refused', []],
  ['the claim does not name it and the route still does', true, 'Gone', []],
  ['nothing names it any more', false, 'Gone', hostedKeys],
  ['the claim takes its Secret away', true, { ...hosted, apiKeySecretRef: undefined }, ['gateway-external-key-hosted']],
];

test.each(outside)(
  'dropBackends drops the objects of an external endpoint when %s',
  (_name, isRouted, wanted, expected) => {
    const all = rendered(['a'], [{ ...external, endpoint: hosted }]);
    const observed = isRouted ? all : new Map([...all, ...rendered(['a'])]);
    const endpoint = typeof wanted === 'string' ? undefined : wanted;
    const externals = wanted === 'Gone' ? [] : [{ ...external, name: 'hosted', endpoint }];
    const dropped = dropBackends({ service: 'chat', observed, replicas: ['a'], externals, httpRoute: undefined });
    expect([...dropped.keys()].sort()).toEqual(expected);
  },
);

test('dropBackends never drops the route, its policy, or what exists or is referred to', () => {
  const names = ['a', 'b', 'c', 'd'];
  fc.assert(
    fc.property(fc.subarray(names), fc.subarray(names), (routed, replicas) => {
      for (const key of dropBackends({
        service: 'chat',
        observed: observe(names, routed),
        replicas,
        externals: [],
        httpRoute: undefined,
      }).keys()) {
        const replica = replicaOfKey(key);
        expect(replica).toBeDefined();
        expect([...routed, ...replicas]).not.toContain(replica);
      }
    }),
  );
});
