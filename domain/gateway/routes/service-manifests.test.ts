import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../kubernetes/canonical-json.ts';
import { type KubernetesObject, readList, readPath } from '../../kubernetes/object.ts';
import type { Protocol } from '../replica-endpoint.ts';
import { backendName, replicaOfKey, type ServiceFacts, serviceBackendName } from './service-facts.ts';
import { renderService } from './service-manifests.ts';

const openAi: readonly Protocol[] = ['OpenAI'];
const both: readonly Protocol[] = ['OpenAI', 'Anthropic'];

function factsOf(protocols: readonly (readonly Protocol[])[], fields: Partial<ServiceFacts> = {}): ServiceFacts {
  return {
    name: 'chat',
    namespace: 'team-a',
    createdAt: '2026-12-01T00:00:00Z',
    gateway: { name: 'main', namespace: 'modelberth-gateway' },
    callerHeader: 'x-modelberth-caller',
    externals: [],
    backends: protocols.map((spoken, index) => ({
      replica: `llama-${index}`,
      deployment: 'llama',
      weight: index + 1,
      priority: 0,
      endpoint: { service: `llama-${index}`, port: 8000, protocols: [...spoken] },
    })),
    ...fields,
  };
}

function get(facts: ServiceFacts, key: string): KubernetesObject {
  const object = renderService(facts).get(key);
  if (object === undefined) throw new Error(`no object has the key ${key}`);
  return object;
}

const someFacts = fc
  .array(fc.constantFrom(openAi, both), { minLength: 1, maxLength: 128 })
  .map((protocols) => factsOf(protocols));

test('L25 each protocol that the engine speaks is passed through, and the others are translated', () => {
  const facts = factsOf([both, openAi]);
  const ref = (index: number, protocol: Protocol) => ({
    name: serviceBackendName('chat', `llama-${index}`, protocol),
    modelNameOverride: 'team-a/llama',
    weight: index + 1,
  });
  expect(get(facts, 'gateway-route').spec).toEqual({
    parentRefs: [{ name: 'main', namespace: 'modelberth-gateway', sectionName: 'https-api' }],
    rules: [
      {
        matches: [
          {
            headers: [
              { name: 'x-ai-eg-model', type: 'RegularExpression', value: 'team-a/chat' },
              { name: 'x-ai-eg-original-path', type: 'RegularExpression', value: '/anthropic/.*' },
            ],
          },
        ],
        backendRefs: [ref(0, 'Anthropic'), ref(1, 'OpenAI')],
        timeouts: { request: '0s' },
      },
      {
        matches: [{ headers: [{ name: 'x-ai-eg-model', type: 'Exact', value: 'team-a/chat' }] }],
        modelsOwnedBy: 'team-a',
        modelsCreatedAt: '2026-12-01T00:00:00Z',
        backendRefs: [ref(0, 'OpenAI'), ref(1, 'OpenAI')],
        timeouts: { request: '0s' },
      },
    ],
  });
});

test('L25 there is no Anthropic rule when no engine speaks it', () => {
  expect(readList(get(factsOf([openAi]), 'gateway-route'), ['spec', 'rules'])).toHaveLength(1);
});

test('L26 the model is NAMESPACE/SERVICE, and a dot in it matches a dot only', () => {
  const [anthropic, any] = readList(get(factsOf([both], { name: 'qwen.3' }), 'gateway-route'), ['spec', 'rules']);
  const value = (rule: unknown) => readPath(readList(readList(rule, ['matches'])[0], ['headers'])[0], ['value']);
  expect(value(anthropic)).toBe('team-a/qwen\\.3');
  expect(value(any)).toBe('team-a/qwen.3');
});

test('L23 every rule has no limit on the whole of a response, and rules have no name (AI Gateway 1.0.0)', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const rules = readList(get(facts, 'gateway-route'), ['spec', 'rules']);
      expect(rules.length).toBeLessThanOrEqual(15);
      for (const rule of rules) {
        expect(readPath(rule, ['timeouts'])).toEqual({ request: '0s' });
        expect(readPath(rule, ['name'])).toBeUndefined();
        expect(readList(rule, ['backendRefs']).length).toBeLessThanOrEqual(128);
      }
      expect(canonicalJson([...renderService(facts).values()])).not.toMatch(
        /"(requestTimeout|responseOverride|backendRequest)"/,
      );
    }),
  );
});

test('every reference of the route leads to a composed backend, and every backend to its Service', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const objects = [...renderService(facts).values()];
      const named = (kind: string) => new Map(objects.filter((o) => o.kind === kind).map((o) => [o.metadata.name, o]));
      const rules = readList(named('AIGatewayRoute').get('chat'), ['spec', 'rules']);
      for (const ref of rules.flatMap((rule) => readList(rule, ['backendRefs']))) {
        const service = named('AIServiceBackend').get(String(readPath(ref, ['name'])));
        const backend = named('Backend').get(String(readPath(service, ['spec', 'backendRef', 'name'])));
        expect(readPath(readList(backend, ['spec', 'endpoints'])[0], ['fqdn', 'hostname'])).toMatch(
          /^llama-\d+\.team-a\.svc\.cluster\.local$/,
        );
      }
      expect(objects.every((object) => object.metadata.namespace === 'team-a')).toBe(true);
    }),
  );
});

test('the policy of the route is merged, retries before the first byte only, and ejects even a single replica', () => {
  expect(get(factsOf([openAi]), 'gateway-traffic').spec).toMatchObject({
    mergeType: 'StrategicMerge',
    targetRefs: [{ kind: 'HTTPRoute', name: 'chat' }],
    retry: { retryOn: { httpStatusCodes: [503] } },
    healthCheck: { panicThreshold: 0, passive: { maxEjectionPercent: 100 } },
  });
});

test('names of backends never collide, though two services share a replica', () => {
  expect(backendName('a', 'b-c')).not.toBe(backendName('a-b', 'c'));
  expect(backendName('x'.repeat(63), 'llama-0').length).toBeLessThanOrEqual(63);
});

const keys: readonly [string, string | undefined][] = [
  ['gateway-backend-llama-0', 'llama-0'],
  ['gateway-openai-llama-0', 'llama-0'],
  ['gateway-anthropic-openai-0', 'openai-0'],
  ['gateway-route', undefined],
  ['gateway-traffic', undefined],
];

test.each(keys)('replicaOfKey reads the replica of %s', (key, replica) => {
  expect(replicaOfKey(key)).toBe(replica);
});
