import type { KubernetesObject } from '../../kubernetes/object.ts';
import { backendMetadata, backendName, type ServiceBackend, type ServiceFacts } from './service-facts.ts';

/** The engine of one replica, by the name of its headless Service: addresses would lose the weights of several backends. */
export function renderBackend(facts: ServiceFacts, backend: ServiceBackend): KubernetesObject {
  const { service, port } = backend.endpoint;
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'Backend',
    metadata: backendMetadata(facts, backend, backendName(facts.name, backend.replica)),
    spec: { endpoints: [{ fqdn: { hostname: serviceHost(service, facts.namespace), port } }] },
  };
}

/** The host name of a Service inside its cluster. */
function serviceHost(service: string, namespace: string): string {
  return `${service}.${namespace}.svc.cluster.local`;
}
