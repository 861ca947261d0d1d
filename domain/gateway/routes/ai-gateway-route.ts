import type { KubernetesObject } from '../../kubernetes/object.ts';
import { listenerName } from '../gateway-facts.ts';
import { modelName } from '../model-service-spec.ts';
import type { Protocol } from '../replica-endpoint.ts';
import {
  type ExternalBackend,
  externalServiceName,
  type ServiceBackend,
  type ServiceFacts,
  serviceBackendName,
  serviceMetadata,
} from './service-facts.ts';

/** Headers that the AI filter sets from the body and the path; what clients send in them is removed. */
const modelHeader = 'x-ai-eg-model';
const pathHeader = 'x-ai-eg-original-path';

/** One backend of a rule, before the priorities of the rule are numbered. */
interface RuleBackend {
  readonly name: string;
  readonly modelNameOverride: string;
  readonly weight: number;
  readonly priority: number;
}

/** The route of one model name: a rule for each protocol that a backend answers. */
export function renderAiGatewayRoute(facts: ServiceFacts): KubernetesObject {
  const { name, namespace } = facts.gateway;
  const openAi = backendsFor(facts, 'OpenAI');
  const anthropic = speaksAnthropic(facts) ? backendsFor(facts, 'Anthropic') : [];
  const listed = listing(facts);
  const rules = [
    ...(anthropic.length === 0 ? [] : [anthropicRule(facts, anthropic, openAi.length === 0 ? listed : {})]),
    ...(openAi.length === 0 ? [] : [openAiRule(facts, openAi, listed)]),
  ];
  return {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIGatewayRoute',
    metadata: serviceMetadata(facts),
    spec: { parentRefs: [{ name, namespace, sectionName: listenerName.api }], rules },
  };
}

/**
 * Two matches beat one, so this rule is met first. A regular expression is not listed by `/v1/models`, so the model
 * appears there once; where this is the only rule it is listed here. A backend that does not speak Anthropic is
 * reached through its OpenAI backend, translated.
 */
function anthropicRule(facts: ServiceFacts, backends: readonly RuleBackend[], listed: Record<string, unknown>) {
  const model = modelName(facts.namespace, facts.name);
  const isListed = Object.keys(listed).length > 0;
  const headers = [
    isListed
      ? { name: modelHeader, type: 'Exact', value: model }
      : { name: modelHeader, type: 'RegularExpression', value: escapeRegex(model) },
    { name: pathHeader, type: 'RegularExpression', value: '/anthropic/.*' },
  ];
  return { matches: [{ headers }], ...listed, backendRefs: numberPriorities(backends), timeouts: unbounded() };
}

function openAiRule(facts: ServiceFacts, backends: readonly RuleBackend[], listed: Record<string, unknown>) {
  const headers = [{ name: modelHeader, type: 'Exact', value: modelName(facts.namespace, facts.name) }];
  return { matches: [{ headers }], ...listed, backendRefs: numberPriorities(backends), timeouts: unbounded() };
}

/** What `/v1/models` says about the model. */
function listing(facts: ServiceFacts): Record<string, unknown> {
  return {
    modelsOwnedBy: facts.namespace,
    ...(facts.createdAt === undefined ? {} : { modelsCreatedAt: facts.createdAt }),
  };
}

/** No limit on the whole of a response (L23): left out it would be 60 s, and an idle limit is in the policies. */
function unbounded(): Record<string, string> {
  return { request: '0s' };
}

/** The backends that answer a protocol: an Anthropic endpoint outside is not translated to. */
function backendsFor(facts: ServiceFacts, protocol: Protocol): readonly RuleBackend[] {
  const externals = facts.externals.filter(
    ({ isPlaced, endpoint }) => isPlaced && (protocol === 'Anthropic' || endpoint.schema === 'OpenAI'),
  );
  return [
    ...facts.backends.map((backend) => replicaBackend(facts, backend, protocol)),
    ...externals.map((external) => externalBackend(facts, external)),
  ];
}

/** The engine knows the model by the name of its deployment, whatever the service is called. */
function replicaBackend(facts: ServiceFacts, backend: ServiceBackend, wanted: Protocol): RuleBackend {
  const protocol = backend.endpoint.protocols.includes(wanted) ? wanted : 'OpenAI';
  return {
    name: serviceBackendName(facts.name, backend.replica, protocol),
    modelNameOverride: modelName(facts.namespace, backend.deployment),
    weight: backend.weight,
    priority: backend.priority,
  };
}

function externalBackend(facts: ServiceFacts, { endpoint, weight, priority }: ExternalBackend): RuleBackend {
  const name = externalServiceName(facts.name, endpoint.name);
  return { name, modelNameOverride: endpoint.modelName, weight, priority };
}

function speaksAnthropic({ backends, externals }: ServiceFacts): boolean {
  return (
    backends.some(({ endpoint }) => endpoint.protocols.includes('Anthropic')) ||
    externals.some(({ isPlaced, endpoint }) => isPlaced && endpoint.schema === 'Anthropic')
  );
}

/**
 * Envoy's priorities begin at 0 and skip none, and a backend without weight is not there at all: so a priority becomes
 * the count of those before it that carry something. 0 is the default and left out.
 */
function numberPriorities(backends: readonly RuleBackend[]): readonly Record<string, unknown>[] {
  const carrying = new Set(backends.filter(({ weight }) => weight > 0).map(({ priority }) => priority));
  return backends.map(({ priority, ...backend }) => {
    const before = [...carrying].filter((other) => other < priority).length;
    return before === 0 ? backend : { ...backend, priority: before };
  });
}

/** A name as an RE2 expression that matches it only; Envoy matches the whole value. */
function escapeRegex(text: string): string {
  return text.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&');
}
