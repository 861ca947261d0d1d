import { gatewayMetadata } from '../gateway-facts.ts';
import { targetGateway } from '../target-ref.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** Headers by which a client could pose as the gateway's own filters; removed before any of them runs. */
const forgedPrefixes = ['x-ai-eg-', 'x-aigw-', 'x-gateway-', 'x-envoy-'] as const;

/** What the listeners accept from clients, and for how long. Any change of it replaces the listeners. */
export const clientTraffic: GatewayManifest = {
  key: 'gateway-client-traffic',
  kind: 'ClientTrafficPolicy',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'ClientTrafficPolicy',
    metadata: gatewayMetadata(facts),
    spec: {
      targetRefs: [targetGateway(facts)],
      headers: {
        earlyRequestHeaders: {
          remove: [facts.spec.callerHeader],
          removeOnMatch: forgedPrefixes.map((value) => ({ type: 'Prefix', value })),
        },
        withUnderscoresAction: 'RejectRequest',
        requestID: 'PreserveOrGenerate',
      },
      // Answered by Envoy before authentication, so a health check never needs a key (L22).
      healthCheck: { path: '/healthz' },
      // The default of 32 KiB would refuse long prompts (Envoy Gateway 1.9.0, read 2026-12-01).
      connection: { bufferLimit: facts.spec.maxBodySize },
      timeout: {
        tcp: { idleTimeout: '2h', tlsHandshakeTimeout: '10s' },
        http: {
          requestHeadersReceivedTimeout: '15s',
          // The upload only; a response is never bounded as a whole (L23).
          requestReceivedTimeout: '120s',
          idleTimeout: '1h',
          streamIdleTimeout: `${facts.spec.streamIdleSeconds}s`,
        },
      },
      tcpKeepalive: { idleTime: '60s', interval: '30s', probes: 3 },
      http2: {
        connectionKeepalive: { interval: '30s', timeout: '10s' },
        maxConcurrentStreams: 500,
        initialStreamWindowSize: '1Mi',
        initialConnectionWindowSize: '16Mi',
      },
      tls: { minVersion: '1.2', alpnProtocols: ['h2', 'http/1.1'] },
    },
  }),
};
