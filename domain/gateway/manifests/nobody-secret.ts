import { gatewayMetadata } from '../gateway-facts.ts';
import type { GatewayManifest } from './gateway-manifest.ts';

/** The id of the caller that does not exist: the data key in its Secret. */
export const nobody = 'nobody';

/**
 * The key that nobody has. Policies that let nobody in need one: with an empty Secret Envoy would fall back to the
 * keys of another route. It never changes, because a changed key replaces the listener and cuts its streams.
 */
export const nobodySecret: GatewayManifest = {
  key: 'gateway-nobody',
  kind: 'Secret',
  part: 'nobody',
  role: 'Part',
  needs: [],
  render: (facts) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: gatewayMetadata(facts, 'nobody'),
    type: 'Opaque',
    data: { [nobody]: facts.nobodyKey },
  }),
};
