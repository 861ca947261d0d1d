/**
 * Decides for each object of an InferenceGateway whether it may be composed now. Order is by evidence: the Gateway
 * waits until everything before it is observed (L21). What is observed is never taken back because a feature of the
 * cluster is not known for a while (S1): only the spec removes an object, and then by name.
 */
import { type FeatureName, features } from '../kubernetes/feature.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { GatewayManifest, GatewayWish } from './manifests/gateway-manifest.ts';
import { gatewayManifests } from './manifests/gateway-manifests.ts';

export interface GatewayScene extends GatewayWish {
  readonly feature: (name: FeatureName) => boolean | undefined;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
}

/** What to do with one object: compose it, show it as planned, drop it by name, or leave it as it is. */
export interface ManifestDecision {
  readonly manifest: GatewayManifest;
  readonly action: 'Compose' | 'Plan' | 'Drop' | 'Leave';
  readonly why: string;
}

/** Decides for every object of the gateway, in the order of the list. */
export function decideManifests(scene: GatewayScene): readonly ManifestDecision[] {
  return gatewayManifests.map((manifest) => decideManifest(manifest, scene));
}

function decideManifest(manifest: GatewayManifest, scene: GatewayScene): ManifestDecision {
  const isObserved = scene.observed.has(manifest.key);
  if (manifest.wanted !== undefined && !manifest.wanted.by(scene)) {
    return { manifest, action: isObserved ? 'Drop' : 'Leave', why: manifest.wanted.otherwise };
  }
  const lacking = manifest.needs.filter((name) => scene.feature(name) !== true);
  if (lacking.length > 0) {
    return {
      manifest,
      action: isObserved ? 'Leave' : 'Plan',
      why: `composed when the cluster has ${installs(lacking)}`,
    };
  }
  if (manifest.role === 'Gateway' && !isObserved && listMissing(scene).length > 0) {
    return { manifest, action: 'Plan', why: 'composed last, when its policies and parts exist' };
  }
  return { manifest, action: 'Compose', why: '' };
}

function installs(names: readonly FeatureName[]): string {
  return names.map((name) => features[name].install).join(' and ');
}

/** Wanted objects before the Gateway that are not observed yet. */
function listMissing(scene: GatewayScene): readonly GatewayManifest[] {
  return requiredManifests(scene).filter(({ role, key }) => role !== 'Gateway' && !scene.observed.has(key));
}

/** The objects that a gateway cannot do without. */
export function requiredManifests(wish: GatewayWish): readonly GatewayManifest[] {
  return gatewayManifests.filter((manifest) => manifest.role !== 'Optional' && (manifest.wanted?.by(wish) ?? true));
}
