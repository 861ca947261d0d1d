import type { KubernetesObject } from '../../kubernetes/object.ts';
import { renderAiGatewayRoute } from './ai-gateway-route.ts';
import { renderAiServiceBackend } from './ai-service-backend.ts';
import { renderBackend } from './backend.ts';
import { backendKey, type ServiceFacts, serviceBackendKey, serviceKey } from './service-facts.ts';
import { renderServiceTraffic } from './service-traffic.ts';

/** Every object of a ModelService by its key. */
export function renderService(facts: ServiceFacts): ReadonlyMap<string, KubernetesObject> {
  const objects = new Map<string, KubernetesObject>();
  for (const backend of facts.backends) {
    objects.set(backendKey(backend.replica), renderBackend(facts, backend));
    for (const protocol of backend.endpoint.protocols) {
      objects.set(serviceBackendKey(backend.replica, protocol), renderAiServiceBackend(facts, backend, protocol));
    }
  }
  objects.set(serviceKey.route, renderAiGatewayRoute(facts));
  objects.set(serviceKey.traffic, renderServiceTraffic(facts));
  return objects;
}
