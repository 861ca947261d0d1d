import { gatewayMetadata, gatewayObjectName, listenerName } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** Plain HTTP is answered with a redirect to HTTPS and nothing else. */
export const redirectRoute: GatewayManifest = {
  key: 'gateway-redirect-route',
  kind: 'HTTPRoute',
  part: 'redirect',
  role: 'Part',
  needs: ['GatewayAPI'],
  render: (facts) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: gatewayMetadata(facts, 'redirect'),
    spec: {
      parentRefs: [{ name: gatewayObjectName(facts.name), sectionName: listenerName.http }],
      rules: [{ filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }] }],
    },
  }),
};
