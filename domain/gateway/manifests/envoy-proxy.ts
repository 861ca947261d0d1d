import { type GatewayFacts, gatewayMetadata, gatewayObjectName } from '../gateway-facts.ts';
import { accessLog } from './access-log.ts';
import { envoyService } from './envoy-service.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** The Envoy pods and their Service. */
export const envoyProxy: GatewayManifest = {
  key: 'gateway-envoy-proxy',
  kind: 'EnvoyProxy',
  role: 'Part',
  needs: ['EnvoyGateway'],
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: gatewayMetadata(facts),
    spec: {
      // Also how long a replaced listener lets its running streams go on; the default is 60 s.
      shutdown: { drainTimeout: '3600s', minDrainDuration: '30s' },
      provider: {
        type: 'Kubernetes',
        kubernetes: {
          envoyDeployment: envoyDeployment(facts),
          envoyPDB: { maxUnavailable: 1 },
          envoyService: envoyService(facts),
        },
      },
      telemetry: {
        metrics: { enablePerEndpointStats: false },
        accessLog: accessLog(facts.spec.callerHeader),
      },
    },
  }),
};

function envoyDeployment(facts: GatewayFacts): Record<string, unknown> {
  const matchLabels = {
    'gateway.envoyproxy.io/owning-gateway-name': gatewayObjectName(facts.name),
    'gateway.envoyproxy.io/owning-gateway-namespace': facts.spec.namespace,
  };
  return {
    replicas: facts.spec.replicas,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    pod: {
      annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels },
        },
      ],
    },
    container: { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } } },
  };
}
