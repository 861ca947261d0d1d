import { gatewayMetadata, gatewayObjectName } from '../gateway-facts.ts';
import { targetRoute } from '../target-ref.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** The redirect stays open whatever the auth (L22): without it the deny policy would answer 401. */
export const redirectPolicy: GatewayManifest = {
  key: 'gateway-redirect-policy',
  kind: 'SecurityPolicy',
  part: 'redirect',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'SecurityPolicy',
    metadata: gatewayMetadata(facts, 'redirect'),
    spec: {
      targetRefs: [targetRoute(gatewayObjectName(facts.name, 'redirect'))],
      authorization: { defaultAction: 'Allow' },
    },
  }),
};
