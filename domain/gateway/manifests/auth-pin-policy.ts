import { gatewayMetadata, gatewayObjectName } from '../gateway-facts.ts';
import { targetRoute } from '../target-ref.ts';
import { apiKeyAuth } from './api-key-auth.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** Uses the API key, CORS and authorization filters once, so that their first real use adds none to the listener. */
export const authPinPolicy: GatewayManifest = {
  key: 'gateway-auth-pin-policy',
  kind: 'SecurityPolicy',
  part: 'auth-pin',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'SecurityPolicy',
    metadata: gatewayMetadata(facts, 'auth-pin'),
    spec: {
      targetRefs: [targetRoute(gatewayObjectName(facts.name, 'auth-pin'))],
      apiKeyAuth: apiKeyAuth([gatewayObjectName(facts.name, 'nobody')]),
      cors: { allowOrigins: ['https://nobody.invalid'], allowMethods: ['GET'] },
      authorization: { defaultAction: 'Deny' },
    },
  }),
};
