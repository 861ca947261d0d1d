import type { KubernetesObject } from '../kubernetes/object.ts';

/** A text that sorts replicas by age, the oldest first; names tell apart what was created in one second. */
export function ageOf({ metadata }: KubernetesObject): string {
  return [metadata.creationTimestamp ?? '', metadata.namespace ?? '', metadata.name ?? ''].join('|');
}
