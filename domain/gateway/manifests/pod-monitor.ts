import { gatewayMetadata, gatewayObjectName } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** Scrapes Envoy and its AI filter, wherever Envoy Gateway puts the pods (L37). */
export const podMonitor: GatewayManifest = {
  key: 'gateway-pod-monitor',
  kind: 'PodMonitor',
  role: 'Optional',
  needs: ['PrometheusOperator'],
  render: (facts) => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: gatewayMetadata(facts),
    spec: {
      namespaceSelector: { any: true },
      selector: {
        matchLabels: {
          'gateway.envoyproxy.io/owning-gateway-name': gatewayObjectName(facts.name),
          'gateway.envoyproxy.io/owning-gateway-namespace': facts.spec.namespace,
        },
      },
      podMetricsEndpoints: [
        { port: 'metrics', path: '/stats/prometheus', interval: '15s' },
        { port: 'aigw-admin', path: '/metrics', interval: '15s' },
      ],
    },
  }),
};
