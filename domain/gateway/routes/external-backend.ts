import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ExternalEndpoint } from '../external-endpoint.ts';
import { externalBackendName, externalMetadata, externalServiceName, type ServiceFacts } from './service-facts.ts';

/**
 * Where an external endpoint is, with TLS in the same object: a BackendTLSPolicy beside it would leave the endpoint
 * reachable in plain text, key and all, whenever the policy is not there. With `sni` Envoy also takes the certificate
 * for valid only for this name (Envoy Gateway 1.9.0, internal/xds/translator, read 2026-12-02).
 */
export function renderExternalBackend(
  facts: ServiceFacts,
  { name, hostname, port }: ExternalEndpoint,
): KubernetesObject {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'Backend',
    metadata: externalMetadata(facts, externalBackendName(facts.name, name)),
    spec: {
      endpoints: [{ fqdn: { hostname, port } }],
      tls: { wellKnownCACertificates: 'System', sni: hostname },
    },
  };
}

/** The header that carries the vendor's key, by schema; the other one could only carry a key of the caller. */
const foreignKeyHeader = { OpenAI: 'x-api-key', Anthropic: 'authorization' } as const;

/** How an external endpoint is spoken to. A vendor is not told who asked, and sees no key but its own. */
export function renderExternalService(facts: ServiceFacts, endpoint: ExternalEndpoint): KubernetesObject {
  const { name, schema, pathPrefix, apiKeySecretRef } = endpoint;
  const keyHeaders = apiKeySecretRef === undefined ? ['authorization', 'x-api-key'] : [foreignKeyHeader[schema]];
  return {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIServiceBackend',
    metadata: externalMetadata(facts, externalServiceName(facts.name, name)),
    spec: {
      schema: { name: schema, prefix: pathPrefix },
      backendRef: { group: 'gateway.envoyproxy.io', kind: 'Backend', name: externalBackendName(facts.name, name) },
      headerMutation: { remove: [...keyHeaders, facts.callerHeader].sort() },
    },
  };
}
