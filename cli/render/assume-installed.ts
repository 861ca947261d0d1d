import { type FeatureName, featureNames, features, providerKubernetes } from '../../domain/kubernetes/feature.ts';
import type { SchemaSelector } from '../../functions/compose.ts';
import type { Fetch } from '../crossplane/run-step.ts';

/** The schemas of a cluster that has every optional part, but for those that are known to be missing. */
export function assumeInstalled(missing: readonly FeatureName[] = []): Fetch['schema'] {
  const { kinds } = providerKubernetes;
  const observers = kinds.map((observer) => ({ apiVersion: providerKubernetes.apiVersion, kind: observer }));
  const found = featureNames.filter((name) => !missing.includes(name)).map((name) => features[name]);
  const parts: readonly SchemaSelector[] = [...found, ...observers];
  return ({ apiVersion, kind }) => {
    const isKnown = parts.some((part) => part.apiVersion === apiVersion && part.kind === kind);
    return isKnown ? { type: 'object' } : undefined;
  };
}
