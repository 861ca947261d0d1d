import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Protocol } from '../replica-endpoint.ts';
import {
  backendMetadata,
  backendName,
  type ServiceBackend,
  type ServiceFacts,
  serviceBackendName,
} from './service-facts.ts';

/** How each protocol is spoken to an engine: passed through where the engine speaks it itself (L25). */
const schemas: Readonly<Record<Protocol, Record<string, string>>> = {
  OpenAI: { name: 'OpenAI', prefix: 'v1' },
  Anthropic: { name: 'Anthropic' },
};

/** One protocol of one replica. */
export function renderAiServiceBackend(
  facts: ServiceFacts,
  backend: ServiceBackend,
  protocol: Protocol,
): KubernetesObject {
  const name = serviceBackendName(facts.name, backend.replica, protocol);
  return {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIServiceBackend',
    metadata: backendMetadata(facts, backend, name),
    spec: {
      schema: schemas[protocol],
      backendRef: { group: 'gateway.envoyproxy.io', kind: 'Backend', name: backendName(facts.name, backend.replica) },
    },
  };
}
