/** Copies of objects that differ in one field, by its path with `[]` for the first entry of a list. */
import { isRecord } from '../../domain/kubernetes/object.ts';

export interface Change {
  readonly path: readonly string[];
  /** Undefined takes the field away. */
  readonly value: unknown;
  /** An object that states every field: what the field is in is taken from it where it is missing. */
  readonly example: unknown;
}

/** A copy with another value at a path; of a list only the first entry changes. */
export function changeField(found: unknown, { path, value, example }: Change): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  const name = part.replace('[]', '');
  const given = fieldOf(example, name);
  const own = fieldOf(found, name);
  const start = own === undefined && rest.length > 0 ? given : own;
  return { ...toRecord(found), [name]: changeInside(start, part, { path: rest, value, example: given }) };
}

function changeInside(start: unknown, part: string, change: Change): unknown {
  if (!part.endsWith('[]')) return changeField(start, change);
  const [first, ...others] = toList(start);
  const [sample] = toList(change.example);
  return [changeField(first, { ...change, example: sample }), ...others];
}

/** The value at a path, in the first entry of each list or another one; undefined where any part is missing. */
export function fieldAt(value: unknown, path: readonly string[], entry = 0): unknown {
  return path.reduce<unknown>((current, part) => {
    const found = fieldOf(current, part.replace('[]', ''));
    return part.endsWith('[]') ? toList(found)[entry] : found;
  }, value);
}

function fieldOf(value: unknown, name: string): unknown {
  return toRecord(value)[name];
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
