import type { Definition } from '../../apis/definition.ts';
import { structuralSchema } from '../../apis/structural-schema.ts';
import { isRecord } from '../../domain/kubernetes/object.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** A field without fields of its own. */
export interface LeafField {
  /** As a user types it, `[]` for any entry of a list: `spec.routes[].weight`. */
  readonly path: string;
  readonly schema: Schema;
}

/** Every field of the spec of a kind that has no fields of its own. */
export function listLeaves({ spec }: Definition): readonly LeafField[] {
  return leavesOf(structuralSchema(spec), 'spec');
}

function leavesOf(schema: Schema, path: string): readonly LeafField[] {
  if (isRecord(schema.properties)) {
    return Object.entries(schema.properties).flatMap(([name, child]) =>
      isRecord(child) ? leavesOf(child, `${path}.${name}`) : [],
    );
  }
  const { items } = schema;
  return isRecord(items) && isRecord(items.properties) ? leavesOf(items, `${path}[]`) : [{ path, schema }];
}

/** The schema of a field of a kind, a container or a leaf; undefined where there is none. */
export function schemaAt({ spec }: Definition, path: string): Schema | undefined {
  const [, ...names] = path.replaceAll('[]', '').split('.');
  return names.reduce<Schema | undefined>((schema, name) => {
    const { properties } = isRecord(schema?.items) ? schema.items : (schema ?? {});
    const child = isRecord(properties) ? properties[name] : undefined;
    return isRecord(child) ? child : undefined;
  }, structuralSchema(spec));
}

/**
 * Values of a leaf, to be tried one against the other: those that its schema names, what a valid example has, and
 * neighbours of that. A neighbour may be refused; the reader of the kind says so.
 */
export function listValues({ schema }: LeafField, sample: unknown): readonly unknown[] {
  const { type, items } = schema;
  if (Array.isArray(schema.enum)) return schema.enum;
  if (type === 'boolean') return [true, false];
  if (typeof sample === 'number') return numbersBeside(sample);
  if (typeof sample === 'string') return textsBeside(sample);
  if (!Array.isArray(sample)) return [sample];
  const [first] = sample;
  const others = isRecord(items) ? listValues({ path: '', schema: items }, first) : [];
  return [sample, ...others.map((value) => [value]), ...others.map((value) => [...sample, value])];
}

function numbersBeside(sample: number): readonly number[] {
  return [sample, sample * 16, sample * 2, sample + 1, sample - 1, Math.ceil(sample / 2), 1, 0];
}

/** A word more, another number in it, another first letter. */
function textsBeside(sample: string): readonly string[] {
  return [
    sample,
    `${sample}a`,
    `a${sample}`,
    sample.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    sample.replace(/\d+(?=[A-Za-z]*$)/, (digits) => String(Number(digits) * 8)),
    sample.replace(/[a-z]/, (letter) => (letter === 'z' ? 'y' : 'z')),
  ];
}
