import type { GatewayFacts } from '../gateway-facts.ts';

const annotationPrefix = 'service.beta.kubernetes.io/aws-load-balancer';
/** Port of Envoy's readiness, which also fails while a pod drains (Envoy Gateway 1.9.0, read 2026-12-01). */
const readinessPort = '19003';

/**
 * The Service of the Envoy pods. It is ClusterIP until the policies are accepted (L21); then it is a Network Load
 * Balancer that passes TCP through, because its TLS listeners have a fixed idle time of 350 s (L24).
 */
export function envoyService({ spec, serviceType }: GatewayFacts): Record<string, unknown> {
  if (serviceType === 'ClusterIP') return { type: serviceType };
  const { sourceRanges } = spec.loadBalancer;
  return {
    type: serviceType,
    loadBalancerClass: 'service.k8s.aws/nlb',
    // Without effect on targets by address, and without the loss of traffic that Local has on nodes without a pod.
    externalTrafficPolicy: 'Cluster',
    ...(sourceRanges.length > 0 ? { loadBalancerSourceRanges: [...sourceRanges] } : {}),
    annotations: annotations(spec.loadBalancer),
  };
}

function annotations(loadBalancer: GatewayFacts['spec']['loadBalancer']): Record<string, string> {
  const targetGroup = {
    'deregistration_delay.timeout_seconds': 3600,
    'deregistration_delay.connection_termination.enabled': false,
    'target_health_state.unhealthy.connection_termination.enabled': false,
    'preserve_client_ip.enabled': false,
  };
  return {
    [`${annotationPrefix}-scheme`]: loadBalancer.scheme,
    [`${annotationPrefix}-nlb-target-type`]: 'ip',
    [`${annotationPrefix}-listener-attributes.TCP-443`]: `tcp.idle_timeout.seconds=${loadBalancer.idleTimeoutSeconds}`,
    [`${annotationPrefix}-target-group-attributes`]: Object.entries(targetGroup)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    [`${annotationPrefix}-healthcheck-protocol`]: 'http',
    [`${annotationPrefix}-healthcheck-port`]: readinessPort,
    [`${annotationPrefix}-healthcheck-path`]: '/ready',
    [`${annotationPrefix}-healthcheck-interval`]: '10',
    [`${annotationPrefix}-healthcheck-healthy-threshold`]: '2',
    [`${annotationPrefix}-healthcheck-unhealthy-threshold`]: '2',
  };
}
