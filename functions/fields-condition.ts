import { definitions } from '../apis/definitions.ts';
import { findInactive, type InactiveField } from '../apis/inactive-fields.ts';
import { structuralSchema } from '../apis/structural-schema.ts';
import { withoutDefaults } from '../apis/without-defaults.ts';
import type { Condition } from '../domain/kubernetes/condition.ts';
import { isRecord, type KubernetesObject, readList } from '../domain/kubernetes/object.ts';
import { once } from '../domain/units/once.ts';

const schemas = new Map(definitions.map(({ kind, spec }) => [kind, once(() => structuralSchema(spec))]));
const type = 'EveryFieldActs';
/** Fields that a message names before it counts the rest. */
const named = 5;

/**
 * Says which fields that the author stated do not act yet; what only has its default was stated by nobody. Undefined
 * where there is nothing to say: none is stated and none was before, or the spec cannot be read.
 */
export function fieldsCondition(xr: KubernetesObject, fields: readonly InactiveField[]): Condition | undefined {
  if (!isRecord(xr.spec)) return undefined;
  const inactive = findInactive({ kind: xr.kind, spec: withoutDefaults(schemas.get(xr.kind)?.(), xr.spec) }, fields);
  if (inactive.length > 0)
    return { type, status: 'False', reason: 'FieldNotActing', message: sayInactive(xr, inactive) };
  // Core keeps a condition that is not said again: one that is no longer False must be said to be True.
  const conditions = readList(xr, ['status', 'conditions']).filter(isRecord);
  if (!conditions.some((condition) => condition.type === type)) return undefined;
  return { type, status: 'True', reason: 'Complete', message: 'Every field that is stated acts' };
}

function sayInactive({ kind, metadata }: KubernetesObject, inactive: readonly InactiveField[]): string {
  const listed = inactive.slice(0, named).map(({ path, waitsFor }) => `${path} (it waits for ${waitsFor})`);
  const rest = inactive.length > named ? ` and ${inactive.length - named} more` : '';
  return `Cannot act on every field of ${kind} "${metadata.name ?? ''}" yet: ${listed.join(', ')}${rest}; leave out what must act today`;
}
