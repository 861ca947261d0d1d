import {
  type GatewayFacts,
  gatewayMetadata,
  gatewayObjectName,
  listenerName,
  tlsSecretName,
} from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** The Gateway: the last object of all, because it is what gives the others an Envoy (L21). */
export const gateway: GatewayManifest = {
  key: 'gateway-gateway',
  kind: 'Gateway',
  role: 'Gateway',
  needs: ['GatewayAPI', 'EnvoyGateway', 'AIGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: {
      ...gatewayMetadata(facts),
      annotations: { 'aigateway.envoyproxy.io/gateway-config': gatewayObjectName(facts.name) },
    },
    spec: {
      gatewayClassName: facts.spec.gatewayClassName,
      infrastructure: {
        parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: gatewayObjectName(facts.name) },
      },
      listeners: listeners(facts),
    },
  }),
};

/** Append only, in a fixed order: Envoy's listener is named after the first of its port, so another order cuts all. */
function listeners(facts: GatewayFacts): Record<string, unknown>[] {
  const kinds = [{ kind: 'HTTPRoute' }];
  return [
    {
      name: listenerName.http,
      port: 80,
      protocol: 'HTTP',
      allowedRoutes: { namespaces: { from: 'Same' }, kinds },
    },
    {
      name: listenerName.api,
      port: 443,
      protocol: 'HTTPS',
      hostname: facts.spec.hostnames.api,
      tls: { mode: 'Terminate', certificateRefs: [{ name: tlsSecretName(facts) }] },
      allowedRoutes: { namespaces: { from: 'Selector', selector: servedNamespaces(facts) }, kinds },
    },
  ];
}

/** The gateway's own namespace, for its base route and pin, and those that the spec names. */
function servedNamespaces({ spec }: GatewayFacts): Record<string, unknown> {
  const values = [...new Set([spec.namespace, ...spec.modelNamespaces])].sort();
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }] };
}
