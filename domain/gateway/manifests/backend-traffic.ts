import { gatewayMetadata } from '../gateway-facts.ts';
import { targetGateway } from '../target-ref.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/**
 * How the gateway talks to engines; a ModelService refines it for its own route. There is no `requestTimeout`, which
 * the route would override, and no `responseOverride`, which would move the AI filter in front of authentication.
 */
export const backendTraffic: GatewayManifest = {
  key: 'gateway-backend-traffic',
  kind: 'BackendTrafficPolicy',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'BackendTrafficPolicy',
    metadata: gatewayMetadata(facts),
    spec: {
      targetRefs: [targetGateway(facts)],
      timeout: {
        tcp: { connectTimeout: '5s' },
        http: { connectionIdleTimeout: '1h', streamIdleTimeout: `${facts.spec.streamIdleSeconds}s` },
      },
      tcpKeepalive: { idleTime: '60s', interval: '30s', probes: 3 },
      connection: { bufferLimit: facts.spec.maxBodySize },
      // Each defaults to 1024 (Envoy Gateway 1.9.0, read 2026-12-01).
      circuitBreaker: {
        maxConnections: 10_000,
        maxPendingRequests: 10_000,
        maxParallelRequests: 10_000,
        maxParallelRetries: 100,
      },
      loadBalancer: { type: 'LeastRequest' },
      // A replica that comes or goes is noticed in seconds, not after the default of 30 (L33).
      dns: { dnsRefreshRate: '5s', respectDnsTtl: false },
    },
  }),
};
