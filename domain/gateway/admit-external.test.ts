import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { admitExternals, type ExternalScene, type ExternalSeen } from './admit-external.ts';
import { ExternalEndpoint } from './external-endpoint.ts';
import type { ServiceFacts } from './routes/service-facts.ts';
import { renderService } from './routes/service-manifests.ts';

const running = ExternalEndpoint.parse({
  name: 'hosted',
  hostname: 'api.vendor.example',
  modelName: 'large',
  apiKeySecretRef: { name: 'vendor-key' },
});

function rendered(endpoint: ExternalEndpoint, isPlaced = true): ReadonlyMap<string, KubernetesObject> {
  const facts: ServiceFacts = {
    name: 'chat',
    namespace: 'team-a',
    createdAt: undefined,
    gateway: { name: 'main', namespace: 'modelberth-gateway' },
    callerHeader: 'x-modelberth-caller',
    backends: [],
    externals: [{ endpoint, weight: 1, priority: 1, isPlaced }],
  };
  return renderService(facts);
}

function admit(wanted: ExternalEndpoint, fields: Partial<ExternalScene> = {}): ExternalSeen | undefined {
  const field = 'spec.routes[1].externalEndpoint';
  const [seen] = admitExternals({
    routes: [{ endpoint: wanted, weight: 100, priority: 1, field }],
    allowed: ['.vendor.example'],
    gateway: 'main',
    cluster: 'europe',
    observed: new Map(),
    ...fields,
  });
  return seen;
}

const elsewhere = { ...running, hostname: 'models.other.example', modelName: 'small', apiKeySecretRef: undefined };
const refusedElsewhere =
  'spec.routes[1].externalEndpoint.hostname is "models.other.example", and InferenceCluster "europe" allows only ".vendor.example": let its owner add it to spec.guardrails.externalEndpoints';
const withoutKey = new Map([...rendered(running)].filter(([key]) => !key.startsWith('gateway-external-key-')));

const table: readonly [
  string,
  ExternalEndpoint,
  Partial<ExternalScene>,
  Pick<ExternalSeen, 'endpoint' | 'isPlaced'> & { readonly refusal?: string },
][] = [
  ['it is new and allowed', running, {}, { endpoint: running, isPlaced: false }],
  ['its objects exist', running, { observed: rendered(running, false) }, { endpoint: running, isPlaced: true }],
  ['the policy with its key is missing', running, { observed: withoutKey }, { endpoint: running, isPlaced: false }],
  [
    'nothing is allowed',
    running,
    { allowed: [] },
    {
      endpoint: undefined,
      isPlaced: false,
      refusal:
        'spec.routes[1].externalEndpoint.hostname is "api.vendor.example", and InferenceCluster "europe" allows none: let its owner add it to spec.guardrails.externalEndpoints',
    },
  ],
  ['another host is allowed', elsewhere, {}, { endpoint: undefined, isPlaced: false, refusal: refusedElsewhere }],
  [
    'S5 the gateway does not say what is allowed',
    running,
    { allowed: undefined },
    {
      endpoint: undefined,
      isPlaced: false,
      refusal:
        'spec.routes[1].externalEndpoint.hostname is "api.vendor.example", and InferenceGateway "main" does not say yet which its cluster allows',
    },
  ],
  [
    'S1 the rule becomes stricter while it runs',
    running,
    { allowed: [], observed: rendered(running) },
    { endpoint: running, isPlaced: true },
  ],
  [
    'S1 it is edited to a host that is not allowed while it runs',
    elsewhere,
    { observed: rendered(running) },
    { endpoint: running, isPlaced: true, refusal: refusedElsewhere },
  ],
  [
    'its model is edited while the rule no longer allows it',
    { ...running, modelName: 'small' },
    { allowed: [], observed: rendered(running) },
    { endpoint: { ...running, modelName: 'small' }, isPlaced: true },
  ],
];

test.each(table)('L45 admitExternals decides about an endpoint when %s', (_name, wanted, scene, expected) => {
  const seen = admit(wanted, scene);
  const { endpoint, isPlaced, refusal } = expected;
  expect({ endpoint: seen?.endpoint, isPlaced: seen?.isPlaced, refusal: seen?.refusal?.message }).toEqual({
    endpoint,
    isPlaced,
    refusal,
  });
});

test('a refusal by the guardrail is told from a gateway that is silent', () => {
  expect(admit(running, { allowed: [] })?.refusal?.reason).toBe('GuardrailRefused');
  expect(admit(running, { allowed: undefined })?.refusal?.reason).toBe('NotObserved');
});
