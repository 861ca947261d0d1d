import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { dropBackends } from './drop-backends.ts';
import { replicaOfKey } from './routes/service-facts.ts';
import { renderService } from './routes/service-manifests.ts';

function rendered(replicas: readonly string[]): ReadonlyMap<string, KubernetesObject> {
  const gateway = { name: 'main', namespace: 'modelberth-gateway' };
  const protocols = ['OpenAI' as const, 'Anthropic' as const];
  const backends = replicas.map((replica) => ({
    replica,
    deployment: 'llama',
    weight: 1,
    endpoint: { service: replica, port: 8000, protocols },
  }));
  return renderService({ name: 'chat', namespace: 'team-a', createdAt: undefined, gateway, backends });
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
  const dropped = dropBackends({ service: 'chat', observed: observe(all, routed), replicas, httpRoute: undefined });
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
  expect([...dropBackends({ service: 'chat', observed, replicas: ['a'], httpRoute }).keys()]).toEqual([]);
});

test('dropBackends never drops the route, its policy, or what exists or is referred to', () => {
  const names = ['a', 'b', 'c', 'd'];
  fc.assert(
    fc.property(fc.subarray(names), fc.subarray(names), (routed, replicas) => {
      for (const key of dropBackends({
        service: 'chat',
        observed: observe(names, routed),
        replicas,
        httpRoute: undefined,
      }).keys()) {
        const replica = replicaOfKey(key);
        expect(replica).toBeDefined();
        expect([...routed, ...replicas]).not.toContain(replica);
      }
    }),
  );
});
