import type { KubernetesObject } from '../domain/kubernetes/object.ts';

/** The observed resources whose keys begin with a prefix; the others are not even decoded. */
export function observedWith(
  observed: ReadonlyMap<string, KubernetesObject>,
  prefix: string,
): ReadonlyMap<string, KubernetesObject> {
  const found = new Map<string, KubernetesObject>();
  for (const key of observed.keys()) {
    const object = key.startsWith(prefix) ? observed.get(key) : undefined;
    if (object !== undefined) found.set(key, object);
  }
  return found;
}
