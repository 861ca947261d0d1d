import { gatewayMetadata, gatewayObjectName } from '../gateway-facts.ts';
import { targetRoute } from '../target-ref.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** Uses the local rate limit filter once, so that the first real limit adds none to the listener. */
export const authPinTraffic: GatewayManifest = {
  key: 'gateway-auth-pin-traffic',
  kind: 'BackendTrafficPolicy',
  part: 'auth-pin',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'BackendTrafficPolicy',
    metadata: gatewayMetadata(facts, 'auth-pin'),
    spec: {
      targetRefs: [targetRoute(gatewayObjectName(facts.name, 'auth-pin'))],
      rateLimit: { type: 'Local', local: { rules: [{ limit: { requests: 1, unit: 'Hour' } }] } },
    },
  }),
};
