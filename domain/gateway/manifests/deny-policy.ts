import { gatewayMetadata, gatewayObjectName } from '../gateway-facts.ts';
import { targetGateway } from '../target-ref.ts';
import { apiKeyAuth } from './api-key-auth.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/**
 * Closed by default (L20): every listener without a policy of its own asks for the key that nobody has. It is an
 * authentication and not a deny-all authorization, because `/v1/models` is answered before authorization.
 */
export const denyPolicy: GatewayManifest = {
  key: 'gateway-deny-policy',
  kind: 'SecurityPolicy',
  part: 'deny',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'SecurityPolicy',
    metadata: gatewayMetadata(facts, 'deny'),
    spec: {
      targetRefs: [targetGateway(facts)],
      apiKeyAuth: apiKeyAuth([gatewayObjectName(facts.name, 'nobody')]),
    },
  }),
};
