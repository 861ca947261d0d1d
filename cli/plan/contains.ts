import { isRecord } from '../../domain/kubernetes/object.ts';

/**
 * Tells whether a value has everything that another one states: what the API server or somebody else added does not
 * count. Lists agree item by item.
 */
export function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && whole.length === part.length && part.every((item, at) => contains(whole[at], item));
  }
  if (!isRecord(part)) return whole === part;
  return isRecord(whole) && Object.entries(part).every(([field, value]) => contains(whole[field], value));
}

/** Paths at which two values differ, e.g. `spec.template.engine.image`; a list of another length differs as a whole. */
export function differingPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, at) => differingPaths(item, after[at], `${path}[${at}]`));
  if (!isRecord(before) || !isRecord(after)) return before === after ? [] : [path];
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field) =>
    differingPaths(before[field], after[field], path === '' ? field : `${path}.${field}`),
  );
}
