import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExternalEndpoint } from './external-endpoint.ts';
import { readHeldExternal } from './held-external.ts';
import type { ServiceFacts } from './routes/service-facts.ts';
import { renderService } from './routes/service-manifests.ts';

function factsOf(endpoint: ExternalEndpoint, isPlaced = true): ServiceFacts {
  return {
    name: 'chat',
    namespace: 'team-a',
    createdAt: undefined,
    gateway: { name: 'main', namespace: 'modelberth-gateway' },
    callerHeader: 'x-modelberth-caller',
    backends: [],
    externals: [{ endpoint, weight: 1, priority: 0, isPlaced }],
  };
}

const someEndpoint = fc
  .record({
    name: fc.constantFrom('hosted', 'vendor-2'),
    hostname: fc.constantFrom('api.vendor.example', 'models.other.example'),
    port: fc.constantFrom(443, 8443),
    pathPrefix: fc.constantFrom('/', '/v1', '/v1beta/openai'),
    schema: fc.constantFrom('OpenAI' as const, 'Anthropic' as const),
    modelName: fc.constantFrom('large', 'vendor/large-2'),
    apiKeySecretRef: fc.constantFrom(undefined, { name: 'vendor-key' }),
  })
  .map((fields) => ExternalEndpoint.parse(fields));

test('S1 readHeldExternal reads back what was rendered', () => {
  fc.assert(
    fc.property(someEndpoint, (endpoint) => {
      expect(readHeldExternal(endpoint.name, renderService(factsOf(endpoint)))).toEqual(endpoint);
    }),
  );
});

test('readHeldExternal holds nothing that is not routed, or not there', () => {
  const endpoint = ExternalEndpoint.parse({ name: 'hosted', hostname: 'api.vendor.example', modelName: 'large' });
  expect(readHeldExternal('hosted', renderService(factsOf(endpoint, false)))).toBeUndefined();
  expect(readHeldExternal('other', renderService(factsOf(endpoint)))).toBeUndefined();
});
