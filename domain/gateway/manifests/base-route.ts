import { gatewayMetadata, gatewayObjectName, listenerName } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/**
 * A permanent route without rules. The AI filter is put into an Envoy pod only if an AIGatewayRoute exists when the
 * pod is made; without this one the first model would restart every Envoy.
 */
export const baseRoute: GatewayManifest = {
  key: 'gateway-base-route',
  kind: 'AIGatewayRoute',
  part: 'none',
  role: 'Part',
  needs: ['AIGateway'],
  render: (facts) => ({
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIGatewayRoute',
    metadata: gatewayMetadata(facts, 'none'),
    spec: {
      parentRefs: [{ name: gatewayObjectName(facts.name), sectionName: listenerName.api }],
      rules: [],
    },
  }),
};
