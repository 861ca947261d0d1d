import { isRecord } from '../../domain/kubernetes/object.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * A value with the defaults of a structural schema filled in, as the API server does it: null where a field is not
 * nullable counts as absent, a default applies where a field is absent, then its own fields are defaulted too. The
 * value given is not changed.
 */
export function applyDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return defaultItems(schema.items, value);
  return isRecord(value) ? defaultFields(schema, value) : value;
}

function defaultItems(schema: unknown, items: readonly unknown[]): readonly unknown[] {
  return isRecord(schema) ? items.map((item) => applyDefaults(schema, item)) : items;
}

function defaultFields(schema: Schema, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const filled: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(value), ...Object.keys(properties)])) {
    const declared = ownValue(properties, field) ?? schema.additionalProperties;
    const present = presentValue(declared, ownValue(value, field));
    if (present !== undefined) filled[field] = isRecord(declared) ? applyDefaults(declared, present) : present;
  }
  return filled;
}

function ownValue(map: Readonly<Record<string, unknown>>, field: string): unknown {
  return Object.hasOwn(map, field) ? map[field] : undefined;
}

/** The value that counts for a field: itself, its default where it is absent, or undefined. */
function presentValue(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  const isAbsent = value === undefined || (value === null && schema.nullable !== true);
  return isAbsent ? structuredClone(schema.default) : value;
}
