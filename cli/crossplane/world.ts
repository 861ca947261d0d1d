/**
 * The objects of a cluster that does not exist: what the user gave, what was composed so far, and what the user says
 * was observed. Stands in for the API server in `render`; it validates nothing.
 */
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ResourceSelector } from '../../functions/compose.ts';

export type World = ReadonlyMap<string, KubernetesObject>;

/** The identity of an object among all objects. */
export function identityOf(object: KubernetesObject): string {
  const { name, namespace } = object.metadata;
  return [object.apiVersion, object.kind, namespace ?? '', name ?? ''].join('|');
}

export function toWorld(objects: readonly KubernetesObject[]): World {
  return new Map(objects.map((object) => [identityOf(object), object]));
}

/** The objects that a selector matches, sorted by namespace and name as core does. */
export function findObjects(world: World, selector: ResourceSelector): readonly KubernetesObject[] {
  const found = [...world.values()].filter((object) => matches(object, selector));
  return found.sort((left, right) => compareText(sortKey(left), sortKey(right)));
}

function matches(object: KubernetesObject, selector: ResourceSelector): boolean {
  if (object.apiVersion !== selector.apiVersion || object.kind !== selector.kind) return false;
  const { name, namespace, labels } = object.metadata;
  if (selector.matchName !== undefined)
    return name === selector.matchName && (namespace ?? '') === (selector.namespace ?? '');
  if (selector.namespace !== undefined && selector.namespace !== '' && namespace !== selector.namespace) return false;
  return Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels?.[key] === value);
}

function sortKey({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
