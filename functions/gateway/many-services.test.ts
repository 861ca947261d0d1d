import { expect, test } from 'vitest';
import type { ServiceFacts } from '../../domain/gateway/routes/service-facts.ts';
import { renderService } from '../../domain/gateway/routes/service-manifests.ts';
import { readList } from '../../domain/kubernetes/object.ts';

/** A service with two replicas that speak both protocols. */
function factsOf(index: number): ServiceFacts {
  const name = `service-${index}`;
  const backends = [0, 1].map((replica) => ({
    replica: `${name}-${replica}`,
    deployment: name,
    weight: 1,
    priority: 0,
    endpoint: { service: `${name}-${replica}`, port: 8000, protocols: ['OpenAI' as const, 'Anthropic' as const] },
  }));
  return {
    name,
    namespace: `team-${index % 40}`,
    createdAt: '2026-12-01T00:00:00Z',
    gateway: { name: 'inference', namespace: 'modelberth-gateway' },
    callerHeader: 'x-modelberth-caller',
    backends,
    externals: [],
  };
}

const facts = Array.from({ length: 1000 }, (_, index) => factsOf(index));

test('a thousand services are rendered in under a second', () => {
  for (const one of facts.slice(0, 50)) renderService(one);
  const milliseconds = [1, 2, 3].map(() => {
    const start = performance.now();
    for (const one of facts) renderService(one);
    return performance.now() - start;
  });
  expect(Math.min(...milliseconds)).toBeLessThan(1000);
});

// Most that an AIGatewayRoute may hold (AI Gateway 1.0.0, read 2026-12-01).
test('each of a thousand services has a route of its own, with at most 15 rules of at most 128 backends', () => {
  const routes = facts.flatMap((one) =>
    [...renderService(one).values()].filter(({ kind }) => kind === 'AIGatewayRoute'),
  );
  const names = routes.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  expect(new Set(names).size).toBe(1000);
  const rules = routes.map((route) => readList(route, ['spec', 'rules']));
  expect(Math.max(...rules.map(({ length }) => length))).toBeLessThanOrEqual(15);
  expect(Math.max(...rules.flat().map((rule) => readList(rule, ['backendRefs']).length))).toBeLessThanOrEqual(128);
});
