/**
 * Every edit of one field that a person may make to a claim, read from the schema of its kind: each scalar becomes other
 * values that the API server accepts, each list loses, gains and swaps entries, and each optional field is taken away.
 */
import type { z } from 'zod';
import { structuralSchema } from '../../apis/structural-schema.ts';
import { isRecord, readList, readPath } from '../../domain/kubernetes/object.ts';

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly string[];

export interface FieldEdit {
  /** The field and its new value: `spec.load.contextTokens = 8192`. */
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface FieldEdits {
  readonly edits: readonly FieldEdit[];
  /** Fields for which no other valid value was found. */
  readonly unedited: readonly string[];
}

/** Texts of which at least one is another valid value of each field that is a text. */
const texts = [
  'other',
  'other/other',
  'other:v0.1',
  'other.example.com',
  '--other',
  'other-0',
  '8.0',
  '1Gi',
  'fp8',
  '2026-01-01',
];

/** Values that one field is edited to, at most. */
const mostValues = 3;

/** Every edit of one field of a spec, and the fields that have none. */
export function listEdits(kind: z.ZodType, spec: Readonly<Record<string, unknown>>): FieldEdits {
  const schema = structuralSchema(kind);
  const edits: FieldEdit[] = [];
  const unedited: string[] = [];
  for (const [path, leaf] of leavesOf(schema, [])) {
    const found = readPath(spec, path);
    const valid = otherValues(leaf, found).flatMap((value) => {
      const edited = withValue(schema, spec, path, value);
      return kind.safeParse(edited).success
        ? [{ name: `spec.${path.join('.')} = ${JSON.stringify(value)}`, spec: edited }]
        : [];
    });
    edits.push(...valid.slice(0, mostValues), ...removals(kind, spec, path));
    if (valid.length === 0 && !hasOneValue(leaf)) unedited.push(`spec.${path.join('.')}`);
  }
  return { edits, unedited };
}

/** A choice of one: there is nothing else to write. */
function hasOneValue(schema: Schema): boolean {
  return readList(schema, ['enum']).length === 1;
}

/** Scalars and lists with their paths; a list counts as one value. */
function leavesOf(schema: Schema, path: Path): readonly (readonly [Path, Schema])[] {
  if (!isRecord(schema.properties)) return [[path, schema]];
  return Object.entries(schema.properties).flatMap(([name, child]) =>
    isRecord(child) ? leavesOf(child, [...path, name]) : [],
  );
}

function otherValues(schema: Schema, found: unknown): readonly unknown[] {
  const different = (values: readonly unknown[]) =>
    values.filter((value) => JSON.stringify(value) !== JSON.stringify(found));
  const choices = readList(schema, ['enum']);
  if (choices.length > 0) return different(choices);
  if (schema.type === 'boolean') return different([true, false]);
  if (schema.type === 'integer' || schema.type === 'number') return different(numbersAround(schema, found));
  if (schema.type === 'array') return different(otherLists(schema, Array.isArray(found) ? found : []));
  if (schema.type === 'string') return different([`${String(found ?? '')}-x`, ...texts]);
  return different([sample(schema)]);
}

function numbersAround({ minimum, maximum }: Schema, found: unknown): readonly number[] {
  const now = typeof found === 'number' ? found : 4;
  const numbers = [minimum, now * 2, Math.floor(now / 2), now + 1, now / 2, maximum];
  return [...new Set(numbers.filter((number) => typeof number === 'number'))];
}

function otherLists(schema: Schema, found: readonly unknown[]): readonly unknown[] {
  const items = isRecord(schema.items) ? schema.items : {};
  const choices = readList(items, ['enum']);
  const others = items.type === 'string' ? texts : [sample(items)];
  const more = choices.length > 0 ? choices : others;
  return [
    [],
    found.slice(1),
    [...found].reverse(),
    ...more.map((item) => [...found, item]),
    ...more.map((item) => [item]),
  ];
}

/** The least that a schema accepts: what it requires, each as its first sample. */
function sample(schema: Schema): unknown {
  const [choice] = readList(schema, ['enum']);
  if (choice !== undefined) return choice;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number')
    return typeof schema.minimum === 'number' ? Math.max(1, schema.minimum) : 1;
  if (schema.type === 'array') return isRecord(schema.items) ? [sample(schema.items)] : [];
  if (schema.type === 'string')
    return texts.find((text) => new RegExp(String(schema.pattern ?? '')).test(text)) ?? 'other';
  const required = readList(schema, ['required']).map(String);
  return Object.fromEntries(required.map((name) => [name, sample(childOf(schema, name))]));
}

function childOf(schema: Schema, name: string): Schema {
  const child = readPath(schema, ['properties', name]);
  return isRecord(child) ? child : {};
}

/** The spec with a value at a path; an object on the way that is not there yet gets all that it requires. */
function withValue(
  schema: Schema,
  spec: unknown,
  [first, ...rest]: Path,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const owner = isRecord(spec) ? spec : (sample(schema) as Readonly<Record<string, unknown>>);
  if (first === undefined) return owner;
  const child = rest.length === 0 ? value : withValue(childOf(schema, first), owner[first], rest, value);
  return { ...owner, [first]: child };
}

function removals(kind: z.ZodType, spec: Readonly<Record<string, unknown>>, path: Path): readonly FieldEdit[] {
  if (readPath(spec, path) === undefined) return [];
  const edited = withoutValue(spec, path);
  return kind.safeParse(edited).success ? [{ name: `no spec.${path.join('.')}`, spec: edited }] : [];
}

function withoutValue(
  spec: Readonly<Record<string, unknown>>,
  [first = '', ...rest]: Path,
): Readonly<Record<string, unknown>> {
  const { [first]: found, ...others } = spec;
  return rest.length === 0 || !isRecord(found) ? others : { ...others, [first]: withoutValue(found, rest) };
}
