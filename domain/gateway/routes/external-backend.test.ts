import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readList, readNumber, readPath } from '../../kubernetes/object.ts';
import { ExternalEndpoint } from '../external-endpoint.ts';
import { externalOfKey, externalServiceName, replicaOfKey, type ServiceFacts } from './service-facts.ts';
import { renderService } from './service-manifests.ts';

const hosted = ExternalEndpoint.parse({
  name: 'hosted',
  hostname: 'api.vendor.example',
  modelName: 'large',
  apiKeySecretRef: { name: 'vendor-key' },
});
const claude = ExternalEndpoint.parse({ ...hosted, name: 'claude', schema: 'Anthropic' });

interface Row {
  readonly weight: number;
  readonly priority: number;
}

function factsOf(replicas: readonly Row[], externals: readonly (Row & { endpoint: ExternalEndpoint })[]): ServiceFacts {
  return {
    name: 'chat',
    namespace: 'team-a',
    createdAt: undefined,
    gateway: { name: 'main', namespace: 'modelberth-gateway' },
    callerHeader: 'x-modelberth-caller',
    backends: replicas.map((row, index) => ({
      ...row,
      replica: `llama-${index}`,
      deployment: 'llama',
      endpoint: { service: `llama-${index}`, port: 8000, protocols: ['OpenAI', 'Anthropic'] },
    })),
    externals: externals.map((external) => ({ ...external, isPlaced: true })),
  };
}

const first = { weight: 1, priority: 0 };
const fallback = { weight: 1, priority: 1 };

function specOf(facts: ServiceFacts, key: string): unknown {
  return renderService(facts).get(key)?.spec;
}

function rulesOf(facts: ServiceFacts): readonly unknown[] {
  return readList(renderService(facts).get('gateway-route'), ['spec', 'rules']);
}

test('L45 an external endpoint is reached over TLS only, for its own name, and its key is named by reference', () => {
  const facts = factsOf([first], [{ ...fallback, endpoint: hosted }]);
  expect(specOf(facts, 'gateway-external-backend-hosted')).toEqual({
    endpoints: [{ fqdn: { hostname: 'api.vendor.example', port: 443 } }],
    tls: { wellKnownCACertificates: 'System', sni: 'api.vendor.example' },
  });
  expect(specOf(facts, 'gateway-external-service-hosted')).toMatchObject({
    schema: { name: 'OpenAI', prefix: '/v1' },
    headerMutation: { remove: ['x-api-key', 'x-modelberth-caller'] },
  });
  const name = externalServiceName('chat', 'hosted');
  expect(specOf(facts, 'gateway-external-key-hosted')).toEqual({
    targetRefs: [{ group: 'aigateway.envoyproxy.io', kind: 'AIServiceBackend', name }],
    type: 'APIKey',
    apiKey: { secretRef: { name: 'vendor-key' } },
  });
});

test('an Anthropic endpoint has its key in its own header, and no key of the caller in the other', () => {
  const facts = factsOf([], [{ ...first, endpoint: claude }]);
  expect(specOf(facts, 'gateway-external-key-claude')).toMatchObject({
    type: 'AnthropicAPIKey',
    anthropicAPIKey: { secretRef: { name: 'vendor-key' } },
  });
  expect(specOf(facts, 'gateway-external-service-claude')).toMatchObject({
    headerMutation: { remove: ['authorization', 'x-modelberth-caller'] },
  });
});

test('an endpoint without a key gets no key of anybody', () => {
  const { apiKeySecretRef: _key, ...fields } = hosted;
  const facts = factsOf([], [{ ...first, endpoint: fields }]);
  expect(specOf(facts, 'gateway-external-key-hosted')).toBeUndefined();
  expect(specOf(facts, 'gateway-external-service-hosted')).toMatchObject({
    headerMutation: { remove: ['authorization', 'x-api-key', 'x-modelberth-caller'] },
  });
});

test('L45 a fallback comes after the replicas in both rules, under its own model name', () => {
  const rules = rulesOf(factsOf([first], [{ ...fallback, endpoint: hosted }]));
  expect(rules).toHaveLength(2);
  for (const rule of rules) {
    const [replica, external] = readList(rule, ['backendRefs']);
    expect(replica).toMatchObject({ modelNameOverride: 'team-a/llama', weight: 1 });
    expect(readPath(replica, ['priority'])).toBeUndefined();
    const name = externalServiceName('chat', 'hosted');
    expect(external).toEqual({ name, modelNameOverride: 'large', weight: 1, priority: 1 });
  }
});

test('L25 an Anthropic endpoint is in the Anthropic rule only, which then lists the model', () => {
  const beside = rulesOf(factsOf([first], [{ ...fallback, endpoint: claude }]));
  expect(beside.map((rule) => readList(rule, ['backendRefs']).length)).toEqual([2, 1]);
  const [alone, ...others] = rulesOf(factsOf([], [{ ...first, endpoint: claude }]));
  expect(others).toEqual([]);
  expect(alone).toMatchObject({ modelsOwnedBy: 'team-a', timeouts: { request: '0s' } });
  const [match] = readList(alone, ['matches']);
  expect(readList(match, ['headers'])[0]).toEqual({ name: 'x-ai-eg-model', type: 'Exact', value: 'team-a/chat' });
});

test('an endpoint whose objects are not all there is rendered and not routed to', () => {
  const facts = factsOf([first], []);
  const objects = renderService({ ...facts, externals: [{ ...fallback, endpoint: hosted, isPlaced: false }] });
  expect(objects.has('gateway-external-backend-hosted')).toBe(true);
  const refs = readList(objects.get('gateway-route'), ['spec', 'rules']).flatMap((rule) =>
    readList(rule, ['backendRefs']),
  );
  expect(refs).toHaveLength(2);
  const alone = renderService({ ...factsOf([], []), externals: [{ ...fallback, endpoint: hosted, isPlaced: false }] });
  expect([...alone.keys()].filter((key) => !key.startsWith('gateway-external-'))).toEqual([]);
});

test('the priorities of what carries weight begin at 0 and skip none in any rule, as Envoy wants it', () => {
  const row = fc.record({ weight: fc.integer({ min: 0, max: 2 }), priority: fc.integer({ min: 0, max: 15 }) });
  const external = fc
    .tuple(row, fc.constantFrom(hosted, claude))
    .map(([fields, endpoint]) => ({ ...fields, endpoint }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), fc.array(external, { maxLength: 3 }), (replicas, externals) => {
      for (const rule of rulesOf(factsOf(replicas, externals))) {
        const refs = readList(rule, ['backendRefs']).filter((ref) => (readNumber(ref, ['weight']) ?? 1) > 0);
        const found = new Set(refs.map((ref) => readNumber(ref, ['priority']) ?? 0));
        expect([...found].sort((a, b) => a - b)).toEqual([...found].map((_priority, index) => index));
      }
    }),
  );
});

test('keys of external endpoints and of replicas are never taken for one another', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
  fc.assert(
    fc.property(name, (external) => {
      const endpoint = { ...hosted, name: external };
      const keys = [...renderService(factsOf([], [{ ...first, endpoint }])).keys()];
      const own = keys.filter((key) => key.startsWith('gateway-external-'));
      expect(own.map(externalOfKey)).toEqual([external, external, external]);
      expect(own.map(replicaOfKey)).toEqual([undefined, undefined, undefined]);
    }),
  );
});
