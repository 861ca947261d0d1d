import { isRecord, type KubernetesObject, readPath } from '../kubernetes/object.ts';

/** Objects of a revision by the key under which each is composed. */
export type RevisionObjects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The rendered objects that a ControllerRevision stores; undefined when it is gone, or was changed and cannot be read. */
export function readObjects(revision: KubernetesObject | undefined): RevisionObjects | undefined {
  const objects = readPath(revision, ['data', 'objects']);
  if (!isRecord(objects) || Object.keys(objects).length === 0) return undefined;
  return Object.values(objects).every(isRecord) ? (objects as RevisionObjects) : undefined;
}
