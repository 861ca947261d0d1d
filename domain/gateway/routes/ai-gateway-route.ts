import type { KubernetesObject } from '../../kubernetes/object.ts';
import { listenerName } from '../gateway-facts.ts';
import { modelName } from '../model-service-spec.ts';
import type { Protocol } from '../replica-endpoint.ts';
import { type ServiceBackend, type ServiceFacts, serviceBackendName, serviceMetadata } from './service-facts.ts';

/** Headers that the AI filter sets from the body and the path; what clients send in them is removed. */
const modelHeader = 'x-ai-eg-model';
const pathHeader = 'x-ai-eg-original-path';

/** The route of one model name: a rule for each protocol that a backend speaks. */
export function renderAiGatewayRoute(facts: ServiceFacts): KubernetesObject {
  const { name, namespace } = facts.gateway;
  const rules = [anthropicRule(facts), openAiRule(facts)].filter((rule) => rule !== undefined);
  return {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIGatewayRoute',
    metadata: serviceMetadata(facts),
    spec: { parentRefs: [{ name, namespace, sectionName: listenerName.api }], rules },
  };
}

/**
 * Two matches beat one, so this rule is met first. A regular expression is not listed by `/v1/models`, so the model
 * appears there once. A replica that does not speak Anthropic is reached through its OpenAI backend, translated.
 */
function anthropicRule(facts: ServiceFacts): Record<string, unknown> | undefined {
  if (!facts.backends.some(speaksAnthropic)) return undefined;
  const model = modelName(facts.namespace, facts.name);
  const headers = [
    { name: modelHeader, type: 'RegularExpression', value: escapeRegex(model) },
    { name: pathHeader, type: 'RegularExpression', value: '/anthropic/.*' },
  ];
  const backendRefs = facts.backends.map((backend) =>
    backendRef(facts, backend, speaksAnthropic(backend) ? 'Anthropic' : 'OpenAI'),
  );
  return { matches: [{ headers }], backendRefs, timeouts: unbounded() };
}

function openAiRule(facts: ServiceFacts): Record<string, unknown> {
  const headers = [{ name: modelHeader, type: 'Exact', value: modelName(facts.namespace, facts.name) }];
  return {
    matches: [{ headers }],
    modelsOwnedBy: facts.namespace,
    ...(facts.createdAt === undefined ? {} : { modelsCreatedAt: facts.createdAt }),
    backendRefs: facts.backends.map((backend) => backendRef(facts, backend, 'OpenAI')),
    timeouts: unbounded(),
  };
}

/** No limit on the whole of a response (L23): left out it would be 60 s, and an idle limit is in the policies. */
function unbounded(): Record<string, string> {
  return { request: '0s' };
}

/** The engine knows the model by the name of its deployment, whatever the service is called. */
function backendRef(facts: ServiceFacts, backend: ServiceBackend, protocol: Protocol): Record<string, unknown> {
  return {
    name: serviceBackendName(facts.name, backend.replica, protocol),
    modelNameOverride: modelName(facts.namespace, backend.deployment),
    weight: backend.weight,
  };
}

function speaksAnthropic(backend: ServiceBackend): boolean {
  return backend.endpoint.protocols.includes('Anthropic');
}

/** A name as an RE2 expression that matches it only; Envoy matches the whole value. */
function escapeRegex(text: string): string {
  return text.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&');
}
