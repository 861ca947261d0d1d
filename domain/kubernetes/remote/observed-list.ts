/**
 * Objects of a Remote cluster by label: an ObservedObjectCollection of provider-kubernetes makes an observe-only Object
 * for each that matches (v1.2.1 observedobjectcollection/reconciler.go, read 2026-12-02). It proves an absence, which a
 * single observe-only Object cannot: there, absent and out of reach differ by the words of an error only.
 */
import { millisBetween } from '../../units/duration.ts';
import { label } from '../label.ts';
import { type KubernetesObject, readString } from '../object.ts';
import { hashedName } from '../resource-name.ts';
import type { Access } from './access.ts';
import { judgeSight, objectApiVersion, providerConfigRef, readSynced, seenManifest } from './remote-object.ts';

/** A list of objects of the cluster. */
export interface ClusterList {
  /** Unique among the lists of one owner, e.g. `nodes`. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly selector: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly { readonly key: string; readonly operator: string }[];
  };
  /** Namespace on the cluster; unset for objects without one. */
  readonly namespace?: string;
}

/** The XR that lists, and the namespace of the control plane that its collections are in. */
export interface ListOwner {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Name of a collection, and the value of the label by which its members are found. */
export function collectionName(owner: ListOwner, list: Pick<ClusterList, 'name'>): string {
  return hashedName(`${owner.name}-${list.name}`, { owner, list: list.name });
}

/** The label that every member of a collection has, beside the provider's own. */
export function memberLabels(owner: ListOwner, list: Pick<ClusterList, 'name'>): Record<string, string> {
  return { [label.observedBy]: collectionName(owner, list) };
}

/** The collection that makes the provider observe the objects of a list. */
export function renderCollection(access: Access, owner: ListOwner, list: ClusterList): KubernetesObject {
  const { apiVersion, kind, selector, namespace } = list;
  return {
    apiVersion: objectApiVersion,
    kind: 'ObservedObjectCollection',
    metadata: {
      name: collectionName(owner, list),
      namespace: owner.namespace,
      labels: { [label.managedBy]: 'modelberth' },
    },
    spec: {
      observeObjects: { apiVersion, kind, selector, ...(namespace === undefined ? {} : { namespace }) },
      objectTemplate: { metadata: { labels: memberLabels(owner, list) } },
      providerConfigRef: providerConfigRef(access),
    },
  };
}

export type ListSeen =
  | { readonly state: 'Seen'; readonly objects: readonly KubernetesObject[] }
  | { readonly state: 'NotObserved'; readonly why: string }
  | { readonly state: 'Stale'; readonly why: string };

/**
 * How long a collection must have been in sight before an empty list counts: it and its members reach us by different
 * caches, and an empty list of nodes for a moment could park what serves.
 */
const settleMillis = 15_000;

/** The objects of a list as the provider saw them last, or why they are not known. */
export function readSeen(
  collection: KubernetesObject | undefined,
  members: readonly KubernetesObject[],
  now: Date,
): ListSeen {
  if (collection === undefined) return { state: 'NotObserved', why: 'provider-kubernetes has not been asked yet' };
  const sight = judgeSight(collection);
  if (sight.state === 'Stale') return { state: 'Stale', why: sight.why };
  const since = readString(readSynced(collection), ['lastTransitionTime']) ?? '';
  // A time that cannot be read gives no number, and no number is large enough.
  const isSettled = millisBetween(since, now) >= settleMillis;
  if (sight.state === 'NotYet' || !isSettled)
    return { state: 'NotObserved', why: 'provider-kubernetes has not listed it yet' };
  const objects = members.map(seenManifest).filter((object) => object !== undefined);
  if (objects.length < members.length) {
    const missing = members.length - objects.length;
    return { state: 'NotObserved', why: `${missing} of its ${members.length} objects have not been read yet` };
  }
  return { state: 'Seen', objects };
}
