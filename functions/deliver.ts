/**
 * The only place that knows whether what a step composes runs on the control plane's own cluster or on another one. For
 * another one it is wrapped in an Object of provider-kubernetes after the decision and unwrapped before it, so that a
 * decision sees the same objects either way. Refused: steps that render Objects themselves; each would have to read them.
 */
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { ownAnnotations } from '../domain/kubernetes/owned-fields.ts';
import { type Access, renderNamespace } from '../domain/kubernetes/remote/access.ts';
import {
  askedManifest,
  isWrapped,
  judgeSight,
  refusalOf,
  seenManifest,
  wrapManifest,
} from '../domain/kubernetes/remote/remote-object.ts';
import type { Composed, ComposeRequest } from './compose.ts';
import { lazyMap } from './lazy-map.ts';
import { runsOnCluster } from './steps.ts';

type Objects = ReadonlyMap<string, KubernetesObject>;

/**
 * Composed resources as a decision sees them: what is on another cluster as it was seen there, or not at all yet.
 *
 * @param identities kind and name of each, which tell without more what is an envelope
 */
export function seeObserved(stored: Objects, identities: Objects = stored): Objects {
  const seenAt = (key: string): KubernetesObject | undefined => {
    const object = stored.get(key);
    return object !== undefined && isWrapped(object) ? seenManifest(object) : object;
  };
  const isPlain = (key: string) => {
    const identity = identities.get(key);
    return identity !== undefined && !isWrapped(identity);
  };
  const keys = [...stored.keys()].filter((key) => isPlain(key) || seenAt(key) !== undefined);
  return lazyMap(keys, (key) => seenAt(key) as KubernetesObject);
}

/** What was asked for last under a key, whether or not it has been seen; it proves nothing about what runs. */
export function lastAsked(stored: Objects, key: string): KubernetesObject | undefined {
  const object = stored.get(key);
  return object !== undefined && isWrapped(object) ? askedManifest(object) : object;
}

/** The object that a row of the status is about: the one on the cluster, not its envelope. */
export function shownObject(stored: KubernetesObject): KubernetesObject {
  return isWrapped(stored) ? (askedManifest(stored) ?? stored) : stored;
}

/** Where a composed resource goes, and what is there under its key. */
export interface Destination {
  readonly key: string;
  readonly access: Access | undefined;
  /** Namespace of the control plane: that of the XR, else the one for a Remote cluster. */
  readonly namespace: string;
  /** Name of the XR. */
  readonly owner: string;
  readonly stored: KubernetesObject | undefined;
}

/**
 * A composed resource in the form that goes to the control plane's API server; undefined where another form is stored
 * under its key, which core would orphan.
 */
export function deliver(item: Composed, { key, access, namespace, owner, stored }: Destination): Composed | undefined {
  const isRemote = access?.type === 'Remote' && runsOnCluster(key);
  if (stored !== undefined && isWrapped(stored) !== isRemote) return undefined;
  const memory = stored === undefined ? {} : ownAnnotations(stored);
  if (access === undefined || !isRemote) return { ...item, object: withMemory(item.object, memory) };
  const inner = stored === undefined ? {} : ownAnnotations(seenManifest(stored) ?? shownObject(stored));
  const wrapped = wrapManifest({ access, manifest: withMemory(item.object, inner), namespace, owner });
  return { ...item, ...refused(stored), object: withMemory(wrapped, memory) };
}

/** The namespace on another cluster that an XR needs for what it composes there, by its key. */
export function composeNamespace(request: ComposeRequest, access: Access): readonly (readonly [string, Composed])[] {
  if (access.type === 'Local') return [];
  const key = 'engine-namespace';
  const exists = request.observed.has(key);
  const object = renderNamespace(access, request.xr.metadata.namespace ?? '');
  const why = 'holds the engine and the Secrets that the claim names';
  return [[key, { object, ready: exists, state: exists ? 'Ready' : 'Created', why }]];
}

function withMemory(object: KubernetesObject, memory: Readonly<Record<string, string>>): KubernetesObject {
  if (Object.keys(memory).length === 0) return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...memory, ...metadata.annotations } } };
}

function refused(stored: KubernetesObject | undefined): Partial<Composed> {
  const refusal = stored === undefined ? undefined : refusalOf(stored);
  return refusal === undefined ? {} : { ready: false, state: 'Waiting', why: `the cluster refuses it: ${refusal}` };
}

/** Why something that the XR composed on another cluster is out of sight; undefined while all of it is in sight (S7). */
export function findBlindness(stored: Objects): string | undefined {
  for (const object of stored.values()) {
    const sight = isWrapped(object) ? judgeSight(object) : undefined;
    if (sight?.state === 'Stale') return `${nameOf(object)} is out of sight: ${sight.why}`;
  }
  return undefined;
}

/** The first thing that another cluster refuses, and what it says; undefined while it takes everything. */
export function findRefusal(stored: Objects): string | undefined {
  for (const object of stored.values()) {
    const refusal = isWrapped(object) ? refusalOf(object) : undefined;
    if (refusal !== undefined) return `The cluster refuses ${nameOf(object)}: ${refusal}`;
  }
  return undefined;
}

/** Tells whether anything of an XR was composed on another cluster. */
export function hasRemoteParts(stored: Objects): boolean {
  return [...stored.values()].some(isWrapped);
}

function nameOf(stored: KubernetesObject): string {
  const { kind, metadata } = shownObject(stored);
  return `${kind} "${metadata.name ?? ''}"`;
}
