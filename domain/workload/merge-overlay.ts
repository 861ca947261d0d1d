/**
 * Merges a part of a pod template over the computed one, as Kubernetes' own strategic merge does: maps by key, lists with
 * a key by that key, other lists are continued, and what is left is replaced.
 */
import { isRecord } from '../kubernetes/object.ts';

/** The keys by which items of a list are the same item; of a list that is not here items are added. */
const listKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  initContainers: 'name',
  ports: 'containerPort',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

/** The template with the overlay merged over it. */
export function mergeOverlay(
  template: Readonly<Record<string, unknown>>,
  overlay: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...template };
  for (const [field, value] of Object.entries(overlay)) merged[field] = mergeField(field, template[field], value);
  return merged;
}

function mergeField(field: string, under: unknown, over: unknown): unknown {
  if (isRecord(under) && isRecord(over)) return mergeOverlay(under, over);
  if (Array.isArray(under) && Array.isArray(over)) return mergeList(under, over, listKeys[field]);
  return over;
}

function mergeList(under: readonly unknown[], over: readonly unknown[], key: string | undefined): readonly unknown[] {
  if (key === undefined) return [...under, ...over];
  const isSame = (left: unknown, right: unknown) => isRecord(left) && isRecord(right) && left[key] === right[key];
  const merged = under.map((item) => {
    const own = over.find((other) => isSame(item, other));
    return isRecord(item) && isRecord(own) ? mergeOverlay(item, own) : item;
  });
  return [...merged, ...over.filter((other) => !under.some((item) => isSame(item, other)))];
}
