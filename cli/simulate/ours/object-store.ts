/**
 * The API server of a virtual cluster: objects by identity. An object that is written as it is keeps its reference, so
 * that readers tell by reference whether anything changed.
 */
import { canonicalJson } from '../../../domain/kubernetes/canonical-json.ts';
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { uidOf } from '../../crossplane/reconcile-composite.ts';
import { identityOf } from '../../crossplane/world.ts';

type Status = Readonly<Record<string, unknown>>;

export interface ObjectStore {
  readonly all: ReadonlyMap<string, KubernetesObject>;
  list(kind: string): readonly KubernetesObject[];
  /** Creates an object or replaces all of it but the status, which others write. */
  put(object: KubernetesObject, now: Date): void;
  setStatus(object: KubernetesObject, status: Status): void;
  remove(object: KubernetesObject): void;
}

export function createObjectStore(): ObjectStore {
  const all = new Map<string, KubernetesObject>();
  /** What was written last, as text. */
  const written = new Map<string, string>();
  return {
    all,
    list: (kind) => [...all.values()].filter((object) => object.kind === kind),
    put: (object, now) => {
      const identity = identityOf(object);
      const text = canonicalJson(object);
      const stored = all.get(identity);
      if (stored !== undefined && written.get(identity) === text) return;
      written.set(identity, text);
      all.set(identity, merge(stored, object, now));
    },
    setStatus: (object, status) => {
      const identity = identityOf(object);
      const stored = all.get(identity);
      if (stored === undefined || canonicalJson(stored.status) === canonicalJson(status)) return;
      all.set(identity, { ...stored, status });
    },
    remove: (object) => {
      all.delete(identityOf(object));
      written.delete(identityOf(object));
    },
  };
}

/** An object as it is stored: a changed spec is a new generation. */
function merge(stored: KubernetesObject | undefined, object: KubernetesObject, now: Date): KubernetesObject {
  const uid = uidOf(object);
  if (stored === undefined)
    return { ...object, metadata: { ...object.metadata, uid, generation: 1, creationTimestamp: now.toISOString() } };
  const { creationTimestamp = now.toISOString(), generation = 1 } = stored.metadata;
  const isChanged = canonicalJson(stored.spec) !== canonicalJson(object.spec);
  const metadata = { ...object.metadata, uid, creationTimestamp, generation: isChanged ? generation + 1 : generation };
  return { ...object, metadata, ...(stored.status === undefined ? {} : { status: stored.status }) };
}
