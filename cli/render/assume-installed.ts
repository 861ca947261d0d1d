import { features, providerKubernetes } from '../../domain/kubernetes/feature.ts';
import type { SchemaSelector } from '../../functions/compose.ts';

/** Without a cluster every optional part counts as installed; whoever prints says so. */
export function assumeInstalled({ apiVersion, kind }: SchemaSelector): Record<string, unknown> | undefined {
  const { kinds } = providerKubernetes;
  const observers = kinds.map((observer) => ({ apiVersion: providerKubernetes.apiVersion, kind: observer }));
  const parts: readonly SchemaSelector[] = [...Object.values(features), ...observers];
  const known = parts.some((part) => part.apiVersion === apiVersion && part.kind === kind);
  return known ? { type: 'object' } : undefined;
}
