import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ExternalEndpoint } from '../external-endpoint.ts';
import { externalMetadata, externalServiceName, type ServiceFacts } from './service-facts.ts';

/** Which Secret has the key of an external endpoint: read by the AI gateway, under `apiKey`, in the same namespace. */
export function renderBackendSecurityPolicy(
  facts: ServiceFacts,
  { name, schema }: ExternalEndpoint,
  secretName: string,
): KubernetesObject {
  const service = externalServiceName(facts.name, name);
  const key = { secretRef: { name: secretName } };
  return {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'BackendSecurityPolicy',
    metadata: externalMetadata(facts, service),
    spec: {
      targetRefs: [{ group: 'aigateway.envoyproxy.io', kind: 'AIServiceBackend', name: service }],
      ...(schema === 'OpenAI' ? { type: 'APIKey', apiKey: key } : { type: 'AnthropicAPIKey', anthropicAPIKey: key }),
    },
  };
}
