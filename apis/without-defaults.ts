import { canonicalJson } from '../domain/kubernetes/canonical-json.ts';
import { isRecord } from '../domain/kubernetes/object.ts';

/**
 * A value without the fields that have their default, by a structural schema. The API server fills defaults in on every
 * read, those of a newer schema too: whatever is hashed must not see them, or an upgrade would restart engines (L41).
 */
export function withoutDefaults(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(schema.items, item));
  if (!isRecord(value)) return value;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const kept: Record<string, unknown> = {};
  for (const [field, child] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, field) ? properties[field] : undefined;
    const stated = withoutDefaults(declared, child);
    if (!isDefault(declared, child, stated)) kept[field] = stated;
  }
  return kept;
}

function isDefault(schema: unknown, value: unknown, stated: unknown): boolean {
  if (!isRecord(schema) || !('default' in schema)) return false;
  const { default: preset } = schema;
  return isEqual(value, preset) || isEqual(stated, preset);
}

/** By text only where both have parts: most values have none, and this is asked for every field of every claim. */
function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') return left === right;
  return canonicalJson(left) === canonicalJson(right);
}
