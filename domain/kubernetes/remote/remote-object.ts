/**
 * A manifest for a Remote cluster inside an Object of provider-kubernetes, and what the provider saw of it
 * (provider-kubernetes v1.2.1 object.go and crossplane-runtime v2.4.0 managed/reconciler.go, read 2026-12-02).
 * Refused: the Object's own Ready, which says that the manifest was applied, never that it works (S5).
 */
import { isKubernetesObject, isRecord, type KubernetesObject, readList, readPath, readString } from '../object.ts';
import { boundedName } from '../resource-name.ts';
import { type Access, remoteNamespace } from './access.ts';

export const objectApiVersion = 'kubernetes.m.crossplane.io/v1alpha1';

/** What the provider may do with the manifest: everything, or all but delete where others use the same object. */
const policies = { Own: ['*'], Share: ['Observe', 'Create', 'Update'] } as const;

export interface RemoteManifest {
  readonly access: Access;
  readonly manifest: KubernetesObject;
  /** Namespace of the control plane: of the manifest where it names none, and of the Object. */
  readonly namespace: string;
  /** Name of the XR. */
  readonly owner: string;
}

/** The Object that applies a manifest on the cluster. Name and kind make its name: no other kind ends in the same word. */
export function wrapManifest({ access, manifest, namespace, owner }: RemoteManifest): KubernetesObject {
  const { labels } = manifest.metadata;
  // Several XRs share a namespace, each by an Object of its own.
  const unique = manifest.kind === 'Namespace' ? owner : (manifest.metadata.name ?? '');
  const name = boundedName(`${unique}-${manifest.kind.toLowerCase()}`);
  return {
    apiVersion: objectApiVersion,
    kind: 'Object',
    metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
    spec: {
      forProvider: { manifest: onCluster(access, manifest, namespace) },
      managementPolicies: [...(manifest.kind === 'Namespace' ? policies.Share : policies.Own)],
      providerConfigRef: providerConfigRef(access),
    },
  };
}

/** The manifest in its namespace of the cluster. What has no namespace there is named in full by whoever renders it. */
function onCluster(access: Access, manifest: KubernetesObject, namespace: string): KubernetesObject {
  if (clusterScoped.has(manifest.kind)) return manifest;
  const { metadata } = manifest;
  return {
    ...manifest,
    metadata: { ...metadata, namespace: remoteNamespace(access, metadata.namespace ?? namespace) },
  };
}

/** Kinds without a namespace that Modelberth delivers. */
const clusterScoped: ReadonlySet<string> = new Set(['GatewayClass', 'Namespace']);

export function providerConfigRef({ providerConfigName = '' }: Access): { kind: string; name: string } {
  return { kind: 'ClusterProviderConfig', name: providerConfigName };
}

/** Tells whether a composed resource is the envelope of a manifest on another cluster. */
export function isWrapped({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Object' && apiVersion.startsWith('kubernetes.m.crossplane.io/');
}

/** What an Object asks for; undefined when somebody made it unreadable. */
export function askedManifest(object: KubernetesObject): KubernetesObject | undefined {
  const manifest = readPath(object, ['spec', 'forProvider', 'manifest']);
  return isKubernetesObject(manifest) ? manifest : undefined;
}

/** The object of the cluster as the provider saw it last; undefined while it has not seen it. */
export function seenManifest(object: KubernetesObject): KubernetesObject | undefined {
  const manifest = readPath(object, ['status', 'atProvider', 'manifest']);
  return isKubernetesObject(manifest) ? manifest : undefined;
}

/** Whether the provider sees the cluster now. */
export type Sight =
  | { readonly state: 'Current' }
  | { readonly state: 'NotYet' }
  | { readonly state: 'Stale'; readonly why: string };

/**
 * How the provider begins a message about a manifest that the cluster refused: it has just read the object, so what it
 * shows is current. Every other error counts as blindness, one of an unknown form too.
 */
const refusals = [
  'create failed:',
  'update failed:',
  'observe failed: cannot get desired state:',
  'observe failed: external resource does not exist',
];
/** The longest part of a provider's message that a condition repeats, in characters. */
const mostCharacters = 300;

/** What the condition Synced says about the sight of an Object or ObservedObjectCollection (S7). */
export function judgeSight(object: KubernetesObject): Sight {
  const synced = readSynced(object);
  if (synced === undefined || synced.status === 'Unknown') return { state: 'NotYet' };
  if (synced.status === 'True') return { state: 'Current' };
  const message = readString(synced, ['message']) ?? '';
  if (refusals.some((start) => message.startsWith(start))) return { state: 'Current' };
  return { state: 'Stale', why: message === '' ? 'it gives no reason' : message.slice(0, mostCharacters) };
}

/** Why the cluster refuses the manifest of an Object; undefined where it does not. */
export function refusalOf(object: KubernetesObject): string | undefined {
  const synced = readSynced(object);
  if (synced?.status !== 'False' || judgeSight(object).state !== 'Current') return undefined;
  return (readString(synced, ['message']) ?? '').slice(0, mostCharacters);
}

export function readSynced(object: KubernetesObject): Readonly<Record<string, unknown>> | undefined {
  return readList(object, ['status', 'conditions'])
    .filter(isRecord)
    .find(({ type }) => type === 'Synced');
}
