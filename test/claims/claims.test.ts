import { describe, expect, test } from 'vitest';
import { definitions } from '../../apis/definitions.ts';
import { findUnknownFields } from '../../cli/find-unknown-fields.ts';
import { isRecord, readList, readPath, readString } from '../../domain/kubernetes/object.ts';
import { readSpec } from '../../functions/freeze.ts';
import { readDefinitions } from '../render/read-cases.ts';
import { type ClaimRow, readExample, readExamples, readRows, setAt } from './claim-row.ts';
import { constraintsOf, listConstraints } from './constraints.ts';

type Schema = Readonly<Record<string, unknown>>;

const rows = readRows();
const readable = rows.filter(({ transition }) => transition === undefined);
const schemas = new Map(
  readDefinitions().map((definition) => [
    readString(definition, ['spec', 'names', 'kind']) ?? '',
    readPath(readList(definition, ['spec', 'versions'])[0], ['schema', 'openAPIV3Schema']) as Schema,
  ]),
);

function schemaOf(kind: string): Schema {
  const schema = schemas.get(kind);
  if (schema === undefined) throw new Error(`no XRD has the kind ${kind}`);
  return schema;
}

function constraintsOfKind(kind: string): readonly string[] {
  return listConstraints(schemaOf(kind), '').map((constraint) => constraint.replace(/^\./, ''));
}

/** Fields of the schema that a value does not state, by path. */
function unstated(schema: unknown, value: unknown, path: string): readonly string[] {
  if (value === undefined) return [path];
  if (!isRecord(schema)) return [];
  if (Array.isArray(value)) return unstatedByAll(value.map((item) => unstated(schema.items, item, `${path}[]`)));
  const fields = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return fields.flatMap(([field, child]) => unstated(child, readPath(value, [field]), `${path}.${field}`));
}

/** Fields that no item of a list states: items of different types state different fields. */
function unstatedByAll(lists: readonly (readonly string[])[]): readonly string[] {
  const isMissing = (field: string) => lists.every((list) => list.some((path) => `${field}.`.startsWith(`${path}.`)));
  return [...new Set(lists.flat())].filter(isMissing);
}

interface Bound {
  readonly path: string;
  readonly value: number;
}

/** The least and the most that each number of a schema may be. */
function listBounds(schema: unknown, path: string): readonly Bound[] {
  if (!isRecord(schema)) return [];
  const { minimum, maximum, exclusiveMinimum } = schema;
  const least = exclusiveMinimum === true ? undefined : minimum;
  const own = [least, maximum].flatMap((value) => (typeof value === 'number' ? [{ path, value }] : []));
  const fields = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const inner = fields.flatMap(([field, child]) => listBounds(child, `${path}.${field}`));
  return [...own, ...inner, ...listBounds(schema.items, `${path}[0]`)];
}

/** What only the API server knows: a field that no schema has is dropped by our reader, and named by the command. */
function unknownFields({ server }: ClaimRow): readonly string[] {
  return server
    .filter((message) => message.includes(': unknown field: '))
    .map((message) => message.split(': ')[0] ?? '');
}

describe.each(definitions)('the table of $kind', ({ kind, plural, spec }) => {
  const own = rows.filter((row) => row.kind === kind);

  test('changes an example that states every field of the spec, but for those that exclude one of it', () => {
    const examples = readExamples(plural);
    expect(examples.map((example) => [example.kind, readSpec(example, spec).state])).toEqual(
      examples.map(() => [kind, 'Valid']),
    );
    const schema = readPath(schemaOf(kind), ['properties', 'spec']);
    expect(unstatedByAll(examples.map((example) => unstated(schema, example.spec, 'spec')))).toEqual([]);
  });

  test('has a row for everything that the schema demands of a person', () => {
    const known = constraintsOfKind(kind);
    const met = new Set(own.flatMap(({ server }) => server.flatMap((message) => constraintsOf(message, known))));
    const template = new Set(kind === 'ModelReplica' ? constraintsOfKind('ModelDeployment') : []);
    const missing = known.filter((constraint) => {
      // A replica copies the template of its ModelDeployment, whose rows hold for both.
      return !met.has(constraint) && !template.has(constraint.replace(/^spec\.template\./, 'spec.'));
    });
    expect(missing.filter((constraint) => constraint.startsWith('spec'))).toEqual([]);
    expect(met.size).toBeGreaterThan(5);
  });

  test('is one step away from what our reader accepts: every bound itself is within', () => {
    const bounds = listBounds(readPath(schemaOf(kind), ['properties', 'spec']), 'spec');
    const refused = bounds.filter(({ path, value }) => {
      const read = readSpec(setAt(readExample(plural), path, value), spec);
      return read.state === 'Invalid' && /Too (small|big)/.test(read.why);
    });
    expect(refused).toEqual([]);
  });

  test('has accepted rows, a row with an unknown field, and every name once', () => {
    expect(own.filter(({ server }) => server.length === 0).length).toBeGreaterThanOrEqual(2);
    expect(own.flatMap(unknownFields).length).toBeGreaterThanOrEqual(1);
    expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
  });

  test('has a row of an update for every rule that reads the old value', () => {
    const transitions = ruleMessages(schemaOf(kind), (rule) => rule.includes('oldSelf'));
    const said = own.filter(({ transition }) => transition).flatMap(({ server }) => server);
    expect(transitions.filter((message) => !said.some((text) => text.endsWith(message)))).toEqual([]);
  });
});

/** Messages of the rules in a schema whose expression is as asked. */
function ruleMessages(schema: unknown, isAsked: (rule: string) => boolean): readonly string[] {
  if (!isRecord(schema)) return [];
  const rules = readList(schema, ['x-kubernetes-validations']).filter((rule) =>
    isAsked(readString(rule, ['rule']) ?? ''),
  );
  const children = [...(isRecord(schema.properties) ? Object.values(schema.properties) : []), schema.items];
  return [
    ...rules.map((rule) => readString(rule, ['message']) ?? ''),
    ...children.flatMap((child) => ruleMessages(child, isAsked)),
  ];
}

test.each(readable)('S1 our reader of $kind says what is wrong when $name', (row) => {
  const { kind, claim, reader } = row;
  const definition = definitions.find((known) => known.kind === kind);
  const read = definition === undefined ? undefined : readSpec(claim, definition.spec);
  expect(read?.state === 'Invalid' ? read.why : undefined).toBe(
    reader === undefined ? undefined : `Cannot read ${kind} "${claim.metadata.name}": ${reader}; correct the field`,
  );
});

test.each(readable)('the command and our reader refuse $kind when $name, if the API server does', (row) => {
  const said = findUnknownFields(schemaOf(row.kind), { spec: row.claim.spec ?? {} }, '');
  expect(said.map((message) => message.split(' ')[0])).toEqual(unknownFields(row));
  const isRefused = row.server.length > unknownFields(row).length;
  expect({ refused: row.reader !== undefined }).toEqual({ refused: isRefused });
});

test('constraintsOf finds nothing when a message is about no constraint of the schema', () => {
  const known = ['spec.replicas minimum', 'spec lists a class twice'];
  expect(constraintsOf('spec.replicas: Invalid value: "a": must be of type integer', known)).toEqual([]);
  expect(constraintsOf('spec.other: Required value', known)).toEqual([]);
  expect(constraintsOf('spec: Invalid value: lists a class twice', known)).toEqual(['spec lists a class twice']);
});
