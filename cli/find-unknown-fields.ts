import { closest, distance } from 'fastest-levenshtein';
import { isRecord } from '../domain/kubernetes/object.ts';

/** Fields of a value that its structural schema does not declare, as sentences with a suggestion where one is near. */
export function findUnknownFields(schema: unknown, value: unknown, path: string): readonly string[] {
  if (!isRecord(schema)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => findUnknownFields(schema.items, item, `${path}[${index}]`));
  if (!isRecord(value) || !isRecord(schema.properties)) return [];
  const known = schema.properties;
  return Object.entries(value).flatMap(([field, child]) => {
    const here = path === '' ? field : `${path}.${field}`;
    return Object.hasOwn(known, field)
      ? findUnknownFields(known[field], child, here)
      : [sayUnknown(here, field, Object.keys(known))];
  });
}

function sayUnknown(path: string, field: string, known: readonly string[]): string {
  const near = known.length === 0 ? undefined : closest(field, known);
  // More edits than half of the word would suggest a word that has nothing to do with it.
  const isNear = near !== undefined && distance(field, near) <= near.length / 2;
  return isNear
    ? `${path} is no field; did you mean "${near}"?`
    : `${path} is no field; known are ${[...known].sort().join(', ')}`;
}
