import type { KubernetesObject } from '../kubernetes/object.ts';
import { judgeReadiness, type Readiness } from '../readiness/judge-readiness.ts';
import { requiredManifests } from './decide-manifest.ts';
import { gatewayObjectName } from './gateway-facts.ts';
import type { GatewayWish } from './manifests/gateway-manifest.ts';

/** What one policy of a gateway proves about itself. */
export interface PolicyEvidence {
  readonly kind: string;
  readonly name: string;
  readonly readiness: Readiness;
}

/** Every policy that the gateway wants; one that is not observed proves nothing. */
export function listPolicies(
  gateway: string,
  wish: GatewayWish,
  observed: ReadonlyMap<string, KubernetesObject>,
): readonly PolicyEvidence[] {
  const policies = requiredManifests(wish).filter((manifest) => manifest.role === 'Policy');
  return policies.map(({ key, kind, part }) => {
    const object = observed.get(key);
    const name = object?.metadata.name ?? gatewayObjectName(gateway, part);
    return { kind, name, readiness: object === undefined ? 'Unknown' : judgeReadiness(object) };
  });
}
