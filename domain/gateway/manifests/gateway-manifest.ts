import type { FeatureName } from '../../kubernetes/feature.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { GatewayFacts } from '../gateway-facts.ts';
import type { InferenceGatewaySpec } from '../inference-gateway-spec.ts';

/** One object of an InferenceGateway. */
export interface GatewayManifest {
  /** Key of the composed resource: never changed, it is the object's identity. */
  readonly key: string;
  readonly kind: string;
  /** Part of the object's name; none for the objects named like the gateway. */
  readonly part?: string;
  readonly role: ManifestRole;
  /** What the cluster must have before the object is composed (S8). */
  readonly needs: readonly FeatureName[];
  /** When the spec asks for it; else why an observed one goes. Without it the object is always wanted. */
  readonly wanted?: { readonly by: (wish: GatewayWish) => boolean; readonly otherwise: string };
  readonly render: (facts: GatewayFacts) => KubernetesObject;
}

/** What decides which objects a gateway has. */
export interface GatewayWish {
  readonly spec: InferenceGatewaySpec;
  /** Names of the Secrets whose keys are admitted. */
  readonly keySecrets: readonly string[];
}

/**
 * When an object may come. A `Policy` must be accepted before the gateway has an address, a `Part` must exist before
 * the Gateway does, the `Gateway` is last (L21), and nothing waits for what is `Optional`.
 */
export type ManifestRole = 'Policy' | 'Part' | 'Gateway' | 'Optional';
