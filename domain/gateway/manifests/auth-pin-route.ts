import { gatewayMetadata, gatewayObjectName, listenerName } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** Nobody calls it; it is long, so that it sorts before every other route of the listener. */
const neverCalledPath = '/.well-known/modelberth/never-called-by-anyone';

/**
 * The auth-pin keeps the filters of the HTTPS listeners constant. Envoy Gateway copies the keys of the first route
 * into the listener, so that without the pin a new key, or the first policy of a kind, would replace the listener and
 * cut every running stream (run on Envoy Gateway 1.9.0, 2026-12-01). Its three objects never change.
 */
export const authPinRoute: GatewayManifest = {
  key: 'gateway-auth-pin-route',
  kind: 'HTTPRoute',
  part: 'auth-pin',
  role: 'Part',
  needs: ['GatewayAPI'],
  render: (facts) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: gatewayMetadata(facts, 'auth-pin'),
    spec: {
      parentRefs: [{ name: gatewayObjectName(facts.name), sectionName: listenerName.api }],
      rules: [
        {
          matches: [{ path: { type: 'Exact', value: neverCalledPath } }],
          filters: [{ type: 'RequestRedirect', requestRedirect: { statusCode: 302, hostname: 'nobody.invalid' } }],
        },
      ],
    },
  }),
};
