import { isRecord, readList, readString } from '../../domain/kubernetes/object.ts';

/** One thing that a schema demands: `spec.load.contextTokens minimum`, or the message of a rule in place of the keyword. */
export type Constraint = string;

type Schema = Readonly<Record<string, unknown>>;

/** The keywords that refuse a value, with the words by which the API server says so. */
const keywords: readonly (readonly [string, RegExp])[] = [
  ['required', /^Required value/],
  ['enum', /^Unsupported value/],
  ['pattern', /in body should match '/],
  ['minimum', /in body should be greater than/],
  ['maximum', /in body should be less than/],
  ['minLength', /in body should be at least \d+ chars long/],
  ['maxLength', /^Too long/],
  ['minItems', /in body should have at least/],
  ['maxItems', /^Too many/],
];

/** The ends of int32, which zod writes on every whole number: nobody meets them by asking for too much of something. */
const unreachable: readonly unknown[] = [-2_147_483_648, 2_147_483_647];

/** Everything that a schema demands of a value, under its path. */
export function listConstraints(schema: Schema, path: string): readonly Constraint[] {
  const stated = keywords.filter(
    ([keyword]) => schema[keyword] !== undefined && !unreachable.includes(schema[keyword]),
  );
  const own = stated.filter(([keyword]) => keyword !== 'required').map(([keyword]) => `${path} ${keyword}`);
  const required = readList(schema, ['required']).map((field) => `${path}.${String(field)} required`);
  const rules = readList(schema, ['x-kubernetes-validations']).map(
    (rule) => `${path} ${readString(rule, ['message'])}`,
  );
  const children = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const inner = children.flatMap(([field, child]) =>
    isRecord(child) ? listConstraints(child, `${path}.${field}`) : [],
  );
  const items = isRecord(schema.items) ? listConstraints(schema.items, `${path}[]`) : [];
  return [...own, ...required, ...rules, ...inner, ...items];
}

/** The constraints that a message of the API server can be about; a rule is known by its message at the end. */
export function constraintsOf(message: string, known: readonly Constraint[]): readonly Constraint[] {
  const [, where = '', said = ''] = /^(\S+): (.*)$/s.exec(message) ?? [];
  const path = where.replaceAll(/\[\d+\]/g, '[]');
  const broken = keywords.filter(([, words]) => words.test(said)).map(([keyword]) => `${path} ${keyword}`);
  const rules = known.filter((constraint) => {
    const text = constraint.slice(path.length + 1);
    return constraint.startsWith(`${path} `) && text.includes(' ') && said.endsWith(text);
  });
  return [...broken, ...rules].filter((constraint) => known.includes(constraint));
}
