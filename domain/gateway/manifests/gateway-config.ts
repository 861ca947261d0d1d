import { gatewayMetadata } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/**
 * The AI filter beside each Envoy. Token costs are counted for the access log; without them streamed answers would
 * carry no usage at all.
 */
export const gatewayConfig: GatewayManifest = {
  key: 'gateway-config',
  kind: 'GatewayConfig',
  role: 'Part',
  needs: ['AIGateway'],
  render: (facts) => ({
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'GatewayConfig',
    metadata: gatewayMetadata(facts),
    spec: {
      extProc: {
        kubernetes: { resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '1Gi' } } },
      },
      globalLLMRequestCosts: [
        { metadataKey: 'llm_input_token', type: 'InputToken' },
        { metadataKey: 'llm_cached_input_token', type: 'CachedInputToken' },
        { metadataKey: 'llm_output_token', type: 'OutputToken' },
        { metadataKey: 'llm_total_token', type: 'TotalToken' },
      ],
    },
  }),
};
