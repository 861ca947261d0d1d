import type { KubernetesObject } from '../kubernetes/object.ts';
import { judgeReadiness, type Readiness } from '../readiness/judge-readiness.ts';
import { requiredManifests } from './decide-manifest.ts';
import { gatewayObjectName } from './gateway-facts.ts';
import type { InferenceGatewaySpec } from './inference-gateway-spec.ts';

/** What one policy of a gateway proves about itself. */
export interface PolicyEvidence {
  readonly kind: string;
  readonly name: string;
  readonly readiness: Readiness;
}

/** Every policy that the spec wants; one that is not observed proves nothing. */
export function listPolicies(
  gateway: string,
  spec: InferenceGatewaySpec,
  observed: ReadonlyMap<string, KubernetesObject>,
): readonly PolicyEvidence[] {
  const policies = requiredManifests(spec).filter((manifest) => manifest.role === 'Policy');
  return policies.map(({ key, kind, part }) => {
    const object = observed.get(key);
    const name = object?.metadata.name ?? gatewayObjectName(gateway, part);
    return { kind, name, readiness: object === undefined ? 'Unknown' : judgeReadiness(object) };
  });
}
