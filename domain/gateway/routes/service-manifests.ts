import type { KubernetesObject } from '../../kubernetes/object.ts';
import { renderAiGatewayRoute } from './ai-gateway-route.ts';
import { renderAiServiceBackend } from './ai-service-backend.ts';
import { renderBackend } from './backend.ts';
import { renderBackendSecurityPolicy } from './backend-security-policy.ts';
import { renderExternalBackend, renderExternalService } from './external-backend.ts';
import { backendKey, externalKey, type ServiceFacts, serviceBackendKey, serviceKey } from './service-facts.ts';
import { renderServiceTraffic } from './service-traffic.ts';

/** Every object of a ModelService by its key; no route while nothing may be routed to. */
export function renderService(facts: ServiceFacts): ReadonlyMap<string, KubernetesObject> {
  const objects = new Map<string, KubernetesObject>();
  for (const backend of facts.backends) {
    objects.set(backendKey(backend.replica), renderBackend(facts, backend));
    for (const protocol of backend.endpoint.protocols) {
      objects.set(serviceBackendKey(backend.replica, protocol), renderAiServiceBackend(facts, backend, protocol));
    }
  }
  for (const { endpoint } of facts.externals) {
    const { name, apiKeySecretRef } = endpoint;
    objects.set(externalKey.backend(name), renderExternalBackend(facts, endpoint));
    objects.set(externalKey.service(name), renderExternalService(facts, endpoint));
    if (apiKeySecretRef !== undefined)
      objects.set(externalKey.apiKey(name), renderBackendSecurityPolicy(facts, endpoint, apiKeySecretRef.name));
  }
  if (facts.backends.length === 0 && !facts.externals.some(({ isPlaced }) => isPlaced)) return objects;
  objects.set(serviceKey.route, renderAiGatewayRoute(facts));
  objects.set(serviceKey.traffic, renderServiceTraffic(facts));
  return objects;
}
