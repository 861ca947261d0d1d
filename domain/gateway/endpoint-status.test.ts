import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { WeightedReplica } from './choose-backends.ts';
import { type EndpointStatus, listEndpoints, listRoutedExternals, type RoutePath } from './endpoint-status.ts';
import { ExternalEndpoint } from './external-endpoint.ts';
import { defaultEndpoint } from './replica-endpoint.ts';
import { backendName, externalBackendName, externalServiceName, serviceBackendName } from './routes/service-facts.ts';

function replica(name: string, hasEndpoint = true): WeightedReplica {
  const seen = {
    name,
    deployment: 'llama',
    generation: 7,
    clusterName: undefined,
    traffic: 'Serve',
    engineReady: 'True',
    isHeldBack: false,
    endpoint: undefined,
  } as const;
  return {
    replica: seen,
    endpoint: defaultEndpoint(name),
    hasEndpoint,
    hadWeight: false,
    isElsewhere: false,
    weight: 1,
    priority: 0,
  };
}

function routeOf(
  kind: string,
  nameOf: (replica: string) => string,
  weights: Readonly<Record<string, number>>,
): KubernetesObject {
  const backendRefs = Object.entries(weights).map(([name, weight]) => ({ name: nameOf(name), weight }));
  const conditions = ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True', observedGeneration: 1 }));
  const status = kind === 'HTTPRoute' ? { parents: [{ conditions }] } : { conditions };
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name: 'chat', generation: 1 },
    spec: { rules: [{ backendRefs }] },
    status,
  };
}

const written = (weights: Readonly<Record<string, number>>) =>
  routeOf('AIGatewayRoute', (name) => serviceBackendName('chat', name, 'OpenAI'), weights);
const accepted = (weights: Readonly<Record<string, number>>) =>
  routeOf('HTTPRoute', (name) => backendName('chat', name), weights);
const programmed: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Gateway',
  metadata: { name: 'main' },
  status: { conditions: [{ type: 'Programmed', status: 'True' }] },
};
const stale = (route: KubernetesObject) => ({ ...route, metadata: { ...route.metadata, generation: 2 } });

const table: readonly [string, WeightedReplica, Partial<RoutePath>, Partial<EndpointStatus>][] = [
  ['everything is proven', replica('a'), {}, { weight: 1, routable: true }],
  ['the HTTPRoute has not been made', replica('a'), { httpRoute: undefined }, { routable: false }],
  [
    'the HTTPRoute is not accepted for its generation',
    replica('a'),
    { httpRoute: stale(accepted({ a: 1 })) },
    { routable: false },
  ],
  [
    'the weight is taken away and the gateway still has it',
    replica('a'),
    { route: written({ a: 0 }) },
    { weight: 1, routable: true },
  ],
  [
    'the weight is written and the gateway does not have it yet',
    replica('a'),
    { httpRoute: accepted({ a: 0 }) },
    { weight: 1, routable: false },
  ],
  [
    'the weight is taken away everywhere',
    replica('a'),
    { route: written({ a: 0 }), httpRoute: accepted({ a: 0 }) },
    { weight: 0, routable: false },
  ],
  ['the route does not name the replica', replica('b'), {}, { weight: 0, routable: false }],
  ['the replica has no ready endpoint', replica('a', false), {}, { weight: 1, routable: false }],
  ['the endpoints are not fetched', { ...replica('a'), hasEndpoint: undefined }, {}, { weight: 1, routable: false }],
  ['the Gateway is not programmed', replica('a'), { gateway: undefined }, { weight: 1, routable: false }],
];

test.each(table)('L33 listEndpoints shows what the gateway does when %s', (_name, seen, path, expected) => {
  const whole: RoutePath = { route: written({ a: 1 }), httpRoute: accepted({ a: 1 }), gateway: programmed, ...path };
  expect(listEndpoints('chat', { chosen: [seen], externals: [] }, whole)).toEqual([
    { replica: seen.replica.name, generation: 7, ...expected },
  ]);
});

const hosted = ExternalEndpoint.parse({ name: 'hosted', hostname: 'api.vendor.example', modelName: 'large' });
const outside = {
  name: 'hosted',
  weight: 1,
  priority: 1,
  endpoint: hosted,
  isPlaced: true,
  isKeyRefused: false,
  refusal: undefined,
};

test('S5 listEndpoints says of an external endpoint what the gateway does, and nothing of the endpoint itself', () => {
  const whole = {
    route: routeOf('AIGatewayRoute', () => externalServiceName('chat', 'hosted'), { hosted: 1 }),
    httpRoute: routeOf('HTTPRoute', () => externalBackendName('chat', 'hosted'), { hosted: 1 }),
    gateway: programmed,
  };
  const row = { external: 'hosted', hostname: 'api.vendor.example', schema: 'OpenAI', priority: 1 };
  const list = (path: Partial<RoutePath>) =>
    listEndpoints('chat', { chosen: [], externals: [outside] }, { ...whole, ...path });
  expect(list({})).toEqual([{ ...row, weight: 1 }]);
  expect(list({ httpRoute: undefined })).toEqual([row]);
});

test('listRoutedExternals names those that the accepted route gives weight', () => {
  const weight = (hostedWeight: number) => ({
    route: undefined,
    httpRoute: routeOf('HTTPRoute', () => externalBackendName('chat', 'hosted'), { hosted: hostedWeight }),
    gateway: programmed,
  });
  expect(listRoutedExternals('chat', [outside], weight(1))).toEqual(['hosted']);
  expect(listRoutedExternals('chat', [outside], weight(0))).toEqual([]);
  expect(listRoutedExternals('chat', [outside], { ...weight(1), httpRoute: undefined })).toEqual([]);
});

test('listEndpoints has no row for an external endpoint that may not be used', () => {
  const refused = { ...outside, endpoint: undefined, isPlaced: false };
  const path = { route: undefined, httpRoute: undefined, gateway: undefined };
  expect(listEndpoints('chat', { chosen: [], externals: [refused] }, path)).toEqual([]);
});

test('listEndpoints says 0 only when neither the route nor the gateway has weight', () => {
  const weight = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(weight, weight, (inRoute, inGateway) => {
      const path = { route: written({ a: inRoute }), httpRoute: accepted({ a: inGateway }), gateway: programmed };
      const [row] = listEndpoints('chat', { chosen: [replica('a')], externals: [] }, path);
      expect(row?.weight === 0).toBe(inRoute === 0 && inGateway === 0);
      expect(row?.routable).toBe(inGateway > 0);
    }),
  );
});
