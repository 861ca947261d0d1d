import type { KubernetesObject } from '../../kubernetes/object.ts';
import { targetRoute } from '../target-ref.ts';
import { type ServiceFacts, serviceMetadata } from './service-facts.ts';

/**
 * Retries and passive health checks of one model's route, merged into the policy of the gateway (without `mergeType`
 * it would replace it). It targets the HTTPRoute that the AI gateway generates, which has the name of its
 * AIGatewayRoute. There is no active check: its timeout of a second takes busy engines out.
 */
export function renderServiceTraffic(facts: ServiceFacts): KubernetesObject {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'BackendTrafficPolicy',
    metadata: serviceMetadata(facts),
    spec: {
      mergeType: 'StrategicMerge',
      targetRefs: [targetRoute(facts.name)],
      retry: {
        numRetries: 2,
        numAttemptsPerPriority: 1,
        // Before the first byte only, and not on 500: an engine that ran out of memory must not be asked again.
        retryOn: {
          triggers: ['connect-failure', 'refused-stream', 'reset-before-request', 'retriable-status-codes'],
          httpStatusCodes: [503],
        },
        perRetry: { backOff: { baseInterval: '100ms', maxInterval: '2s' } },
      },
      healthCheck: {
        // With the defaults of 10 % and panic mode one or two replicas would never be taken out.
        panicThreshold: 0,
        passive: {
          interval: '5s',
          baseEjectionTime: '15s',
          maxEjectionPercent: 100,
          splitExternalLocalOriginErrors: true,
          consecutiveLocalOriginFailures: 2,
          consecutiveGatewayErrors: 5,
          consecutive5XxErrors: 50,
        },
      },
    },
  };
}
