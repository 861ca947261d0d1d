import { type GatewayFacts, gatewayMetadata, listenerName } from '../gateway-facts.ts';
import { targetGateway } from '../target-ref.ts';
import { apiKeyAuth } from './api-key-auth.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/**
 * Who may call through the API listener: the callers of the spec by key (L29), or anyone where that is written out.
 * The caller header is always set from the verified identity (L30).
 */
export const callerPolicy: GatewayManifest = {
  key: 'gateway-caller-policy',
  kind: 'SecurityPolicy',
  part: 'callers',
  role: 'Policy',
  needs: ['EnvoyGateway'],
  wanted: {
    by: ({ spec, keySecrets }) => spec.auth?.type === 'Anonymous' || keySecrets.length > 0,
    otherwise: 'nobody is admitted, so the gateway is closed',
  },
  render: (facts) => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'SecurityPolicy',
    metadata: gatewayMetadata(facts, 'callers'),
    spec: { targetRefs: [targetGateway(facts, listenerName.api)], ...admission(facts) },
  }),
};

function admission({ spec, keySecrets }: GatewayFacts): Record<string, unknown> {
  if (spec.auth?.type === 'Anonymous') return { authorization: { defaultAction: 'Allow' } };
  return { apiKeyAuth: apiKeyAuth(keySecrets, spec.callerHeader) };
}
