import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { WeightedReplica } from './choose-backends.ts';
import { type EndpointStatus, listEndpoints, type RoutePath } from './endpoint-status.ts';
import { defaultEndpoint } from './replica-endpoint.ts';
import { backendName, serviceBackendName } from './routes/service-facts.ts';

function replica(name: string, hasEndpoint = true): WeightedReplica {
  const seen = {
    name,
    deployment: 'llama',
    generation: 7,
    traffic: 'Serve',
    engineReady: 'True',
    endpoint: undefined,
  } as const;
  return { replica: seen, endpoint: defaultEndpoint(name), hasEndpoint, hadWeight: false, weight: 1 };
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
  expect(listEndpoints('chat', [seen], whole)).toEqual([{ replica: seen.replica.name, generation: 7, ...expected }]);
});

test('listEndpoints says 0 only when neither the route nor the gateway has weight', () => {
  const weight = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(weight, weight, (inRoute, inGateway) => {
      const path = { route: written({ a: inRoute }), httpRoute: accepted({ a: inGateway }), gateway: programmed };
      const [row] = listEndpoints('chat', [replica('a')], path);
      expect(row?.weight === 0).toBe(inRoute === 0 && inGateway === 0);
      expect(row?.routable).toBe(inGateway > 0);
    }),
  );
});
