import { canonicalJson } from '../domain/kubernetes/canonical-json.ts';
import { isRecord } from '../domain/kubernetes/object.ts';

/** A field that is accepted and does not act yet. */
export interface InactiveField {
  readonly kind: string;
  /** As a user types it, `[]` for any entry of a list. What is below it does not act either. */
  readonly path: string;
  /** What will make it act; the end of the sentence "It waits for ...". */
  readonly waitsFor: string;
  /** Values that are what happens without the field too, so that whoever states one is told nothing. */
  readonly anyway?: readonly unknown[];
}

/** Fields of a ModelDeployment; a ModelReplica repeats most of them. */
const ofDeployment: readonly Omit<InactiveField, 'kind'>[] = [
  {
    path: 'spec.conformance.ownCases',
    waitsFor: 'cases of the author in the evidence Jobs',
  },
  {
    path: 'spec.model.facts.precision',
    waitsFor: 'a fit of engines that compute in less than 16 bits',
    anyway: ['bf16', 'fp16'],
  },
];

/** Where a ModelReplica has a part of the spec of its ModelDeployment. */
const replicaPaths: readonly (readonly [RegExp, string])[] = [
  [/^spec\.(model|load|engine)\b/, 'spec.template.$1'],
  [/^spec\.(placement|rollout|conformance)\b/, 'spec.$1'],
];

/**
 * The closed list of fields that do not act yet. Each is described so in its schema, and named in the condition
 * EveryFieldActs of an object that states it. A test changes every other field and finds something else changed.
 */
export const inactiveFields: readonly InactiveField[] = [
  ...ofDeployment.map((field) => ({ ...field, kind: 'ModelDeployment' })),
  ...ofDeployment.flatMap((field) => {
    const found = replicaPaths.find(([own]) => own.test(field.path));
    if (found === undefined) return [];
    return [{ ...field, kind: 'ModelReplica', path: field.path.replace(found[0], found[1]) }];
  }),
];

/** The fields of a list that an object states and that do not act, in the order of their paths. */
export function findInactive(
  { kind, spec }: { readonly kind: string; readonly spec: unknown },
  fields: readonly InactiveField[],
): readonly InactiveField[] {
  const stated = fields.filter((field) => {
    const values = field.kind === kind ? valuesAt({ spec }, field.path.split('.')) : [];
    const isAnyway = (value: unknown) =>
      field.anyway?.some((one) => canonicalJson(one) === canonicalJson(value)) === true;
    return values.some((value) => !isAnyway(value));
  });
  return stated.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Every value at a path; none where any part is missing. */
function valuesAt(value: unknown, [part, ...rest]: readonly string[]): readonly unknown[] {
  if (part === undefined) return value === undefined ? [] : [value];
  const name = part.replace('[]', '');
  const found = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (!part.endsWith('[]')) return valuesAt(found, rest);
  return Array.isArray(found) ? found.flatMap((item) => valuesAt(item, rest)) : [];
}
