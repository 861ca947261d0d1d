import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { applyDefaults } from '../crossplane/apply-defaults.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';
import { identityOf, type World } from '../crossplane/world.ts';

/** The world once claims have been applied over it: what exists keeps its status and what the API server gave it. */
export function applyClaims(
  world: World,
  claims: readonly KubernetesObject[],
  kinds: ReadonlyMap<string, InstalledKind>,
): World {
  const next = new Map(world);
  for (const claim of claims) next.set(identityOf(claim), applyClaim(world.get(identityOf(claim)), claim, kinds));
  return next;
}

function applyClaim(
  existing: KubernetesObject | undefined,
  claim: KubernetesObject,
  kinds: ReadonlyMap<string, InstalledKind>,
): KubernetesObject {
  const schema = kinds.get(claim.kind)?.schema ?? {};
  const spec = specOf(claim, schema);
  const isOurs = kinds.has(claim.kind);
  if (existing === undefined) {
    const { status: _status, ...made } = claim;
    const metadata = { ...claim.metadata, generation: 1 };
    return isOurs
      ? { ...made, apiVersion: claim.apiVersion, kind: claim.kind, metadata, spec }
      : { ...claim, metadata };
  }
  if (!isOurs) return existing;
  const isSame = canonicalJson(specOf(existing, schema)) === canonicalJson(spec);
  const { metadata, status } = existing;
  const merged = {
    ...metadata,
    ...(metadata.labels === undefined && claim.metadata.labels === undefined
      ? {}
      : { labels: { ...metadata.labels, ...claim.metadata.labels } }),
    generation: (metadata.generation ?? 1) + (isSame ? 0 : 1),
  };
  const { apiVersion, kind } = claim;
  return { apiVersion, kind, metadata: merged, spec, ...(status === undefined ? {} : { status }) };
}

function specOf(object: KubernetesObject, schema: InstalledKind['schema']): unknown {
  return (applyDefaults(schema, object) as KubernetesObject).spec;
}
