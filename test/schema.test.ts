import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { definitions } from '../apis/definitions.ts';
import { findUnknownFields } from '../cli/find-unknown-fields.ts';
import { readObjects as readClaims } from '../cli/read-objects.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../domain/kubernetes/object.ts';
import { readSpec } from '../functions/freeze.ts';
import { readCases, readDefinitions, root } from './render/read-cases.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Node {
  readonly path: string;
  readonly schema: Schema;
}

const xrds = readDefinitions().map((definition) => ({
  kind: readString(definition, ['spec', 'names', 'kind']) ?? '',
  definition,
  version: readList(definition, ['spec', 'versions'])[0],
  schema: schemaOf(readList(definition, ['spec', 'versions'])[0]),
}));

function schemaOf(version: unknown): Schema {
  const schema = readPath(version, ['schema', 'openAPIV3Schema']);
  if (!isRecord(schema)) throw new Error('every version has a schema');
  return schema;
}

/** A schema and every schema in it, with its path. */
function walk(schema: Schema, path: string): readonly Node[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const children: [string, unknown][] = [
    ...Object.entries(properties).map(([name, child]): [string, unknown] => [
      path === '' ? name : `${path}.${name}`,
      child,
    ]),
    [`${path}[]`, schema.items],
    [`${path}{}`, schema.additionalProperties],
  ];
  return [{ path, schema }, ...children.flatMap(([here, child]) => (isRecord(child) ? walk(child, here) : []))];
}

/** Faults of every schema in a kind, each with its path. */
function faultsOf(schema: Schema, faultOf: (node: Node) => string | undefined): readonly string[] {
  return walk(schema, '').flatMap((node) => {
    const fault = faultOf(node);
    return fault === undefined ? [] : [`${node.path}: ${fault}`];
  });
}

/** Keywords of a structural schema (apiextensions.k8s.io/v1 JSONSchemaProps, Kubernetes 1.35, read 2026-12-01). */
const allowed = new Set([
  ...['type', 'title', 'description', 'default', 'enum', 'format', 'nullable', 'example'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minProperties', 'maxProperties'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['x-kubernetes-validations', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
  'x-kubernetes-preserve-unknown-fields',
]);
const types = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);

function structuralFault({ schema }: Node): string | undefined {
  const unknown = Object.keys(schema).filter((keyword) => !allowed.has(keyword));
  if (unknown.length > 0) return `has ${unknown.join(', ')}, which a structural schema may not have`;
  if (!types.has(String(schema.type))) return `has the type ${String(schema.type)}`;
  if (schema.type === 'array' && !isRecord(schema.items)) return 'is a list without a schema of its items';
  if (isRecord(schema.properties) && isRecord(schema.additionalProperties))
    return 'has both properties and additionalProperties';
  const declared = isRecord(schema.properties) ? schema.properties : {};
  const undeclared = readList(schema, ['required']).filter((name) => !Object.hasOwn(declared, String(name)));
  return undeclared.length > 0 ? `requires ${undeclared.join(', ')} and does not declare it` : undefined;
}

/** Why a value is not what a schema of a leaf admits. */
function valueFault(schema: Schema, value: unknown): string | undefined {
  const type = Array.isArray(value) ? 'array' : typeof value;
  const wanted = schema.type === 'integer' ? 'number' : schema.type;
  if (type !== wanted) return `the default is of type ${type}, want ${String(schema.type)}`;
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'the default is no whole number';
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return `the default is none of ${schema.enum.join(', ')}`;
  if (typeof value === 'number') return numberFault(schema, value);
  if (typeof value === 'string') return textFault(schema, value);
  return undefined;
}

function numberFault({ minimum, maximum }: Schema, value: number): string | undefined {
  const isBelow = typeof minimum === 'number' && value < minimum;
  const isAbove = typeof maximum === 'number' && value > maximum;
  return isBelow || isAbove ? 'the default is out of bounds' : undefined;
}

function textFault({ minLength, maxLength, pattern }: Schema, value: string): string | undefined {
  if (typeof minLength === 'number' && value.length < minLength) return 'the default is too short';
  if (typeof maxLength === 'number' && value.length > maxLength) return 'the default is too long';
  return typeof pattern === 'string' && !new RegExp(pattern).test(value)
    ? 'the default does not match its pattern'
    : undefined;
}

/**
 * What the API server needs to bound the cost of a CEL rule: without it the kind is refused when it is installed
 * (apiextensions-apiserver 0.35.1, ValidateCustomResourceDefinition, run 2026-12-01: "estimated rule cost exceeds
 * budget" for a list of strings without maxLength that a rule compares pairwise).
 */
function costFaults({ path, schema }: Node): readonly string[] {
  const words = readList(schema, ['x-kubernetes-validations']).flatMap(
    (rule) => (readString(rule, ['rule']) ?? '').match(/\w+/g) ?? [],
  );
  return walk(schema, path).flatMap((inner) => {
    const name = inner.path.split('.').at(-1) ?? '';
    if (!words.includes(name.replaceAll('[]', ''))) return [];
    if (inner.schema.type === 'array' && inner.schema.maxItems === undefined)
      return [`${inner.path}: a rule reads it, and it has no maxItems`];
    const isBounded = inner.schema.maxLength !== undefined || inner.schema.enum !== undefined;
    const isText = inner.schema.type === 'string' && inner.path.includes('[]');
    return isText && !isBounded ? [`${inner.path}: a rule reads it in a list, and it has no maxLength`] : [];
  });
}

/** Columns that core adds to every kind: CompositeResourcePrinterColumns of crossplane-runtime 2.4.0, read 2026-12-02. */
const columnsOfCore = ['SYNCED', 'READY', 'COMPOSITION', 'COMPOSITIONREVISION', 'AGE'];
const printed: Readonly<Record<string, readonly string[]>> = {
  InferenceClass: ['ACCELERATOR', 'MEMORY', 'USD/H', 'REASON'],
  InferenceCluster: ['EKS', 'REGION', 'NODES', 'FREE', 'STACK', 'REASON'],
  InferenceGateway: ['HOST', 'ADDRESS', 'SECURED', 'REASON', 'CLUSTER'],
  ModelDeployment: ['MODEL', 'SHAPE', 'CLASS', 'WANTED', 'ANSWERING', 'ROUTABLE', 'USD/H', 'REASON'],
  ModelReplica: ['SHAPE', 'CLASS', 'ZONE', 'PLACED', 'ANSWERS', 'USD/H', 'REASON', 'CLUSTER'],
  ModelService: ['GATEWAY', 'ROUTABLE', 'REASON', 'DEPLOYMENT', 'EXTERNAL'],
};

describe.each(xrds)('the XRD of $kind', ({ kind, definition, version, schema }) => {
  test('S8 is a structural schema', () => {
    expect(faultsOf(schema, structuralFault)).toEqual([]);
    expect(walk(schema, '').length).toBeGreaterThan(15);
  });

  test('describes every field in a sentence', () => {
    const faults = faultsOf(schema, ({ path, schema: { description } }) => {
      if (path.endsWith('[]') || path.endsWith('{}')) return undefined;
      return typeof description === 'string' && /^\S.+\.$/s.test(description) ? undefined : 'has no description';
    });
    expect(faults).toEqual([]);
  });

  test('has only defaults that are valid themselves', () => {
    expect(
      faultsOf(schema, (node) =>
        node.schema.default === undefined ? undefined : valueFault(node.schema, node.schema.default),
      ),
    ).toEqual([]);
  });

  test('has only rules with a message, and whose cost the API server can bound', () => {
    const silent = faultsOf(schema, (node) => {
      const rules = readList(node.schema, ['x-kubernetes-validations']);
      return rules.every((rule) => (readString(rule, ['message']) ?? '').length > 10)
        ? undefined
        : 'has a rule without a message';
    });
    expect(silent).toEqual([]);
    expect([...new Set(walk(schema, '').flatMap(costFaults))]).toEqual([]);
  });

  test('prints columns that lead to a declared field or a condition', () => {
    const declared = new Set(walk(schema, '').map(({ path }) => path));
    const columns = readList(version, ['additionalPrinterColumns']);
    const lost = columns
      .map((column) => readString(column, ['jsonPath']) ?? '')
      .filter((path) => {
        if (/^\.status\.conditions\[\?\(@\.type=="\w+"\)\]\.(status|reason|message)$/.test(path)) return false;
        return !declared.has(path.slice(1).replaceAll(/\[\d+\]/g, '[]'));
      });
    expect(lost).toEqual([]);
    expect(columns.length).toBeGreaterThan(0);
  });

  test('has a title for every field of a form, no two alike in one object', () => {
    const faults = faultsOf(schema, ({ schema: { properties } }) => {
      const titles = Object.values(isRecord(properties) ? properties : {}).map(
        (child) => readString(child, ['title']) ?? '',
      );
      const odd = titles.filter((title) => !/^[A-Z][A-Za-z]*( [A-Za-z]+)*$/.test(title));
      if (odd.length > 0) return `has ${odd.length} titles that are none: ${odd.join(', ')}`;
      return new Set(titles).size === titles.length ? undefined : 'has the same title twice';
    });
    expect(faults.filter((fault) => !fault.startsWith(':'))).toEqual([]);
  });

  test('prints the columns that people ask for, none of them beside one of the same name by core', () => {
    const columns = readList(version, ['additionalPrinterColumns']);
    const names = columns.map((column) => readString(column, ['name']));
    expect(names).toEqual(printed[kind]);
    expect(names.filter((name) => columnsOfCore.includes(name ?? ''))).toEqual([]);
    // The API server prints the first result of a path only (tableconvertor.go of apiextensions-apiserver 0.35).
    expect(columns.filter((column) => readString(column, ['jsonPath'])?.includes('[*]'))).toEqual([]);
  });

  test('scales by declared fields when it scales', () => {
    const declared = new Set(walk(schema, '').map(({ path }) => `.${path}`));
    const scale = readPath(version, ['subresources', 'scale']);
    const paths = isRecord(scale) ? Object.values(scale) : [];
    expect(paths.filter((path) => !declared.has(String(path)))).toEqual([]);
    if (kind !== 'ModelDeployment') return expect(scale).toBeUndefined();
    expect(scale).toEqual({
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas.total',
      labelSelectorPath: '.status.selector',
    });
  });

  test('has the kind, the group and the version of its definition', () => {
    expect([definition.apiVersion, readString(definition, ['spec', 'group']), readString(version, ['name'])]).toEqual([
      'apiextensions.crossplane.io/v2',
      'modelberth.dev',
      'v1alpha1',
    ]);
    expect(definitions.map((known) => known.kind)).toContain(kind);
  });
});

test('exactly ModelDeployment scales', () => {
  expect(
    xrds.filter(({ version }) => readPath(version, ['subresources', 'scale']) !== undefined).map(({ kind }) => kind),
  ).toEqual(['ModelDeployment']);
});

/** A claim of every kind: those of the example, and a replica of a golden case. */
const claims: readonly KubernetesObject[] = [
  ...readClaims(join(root, 'examples/hello')),
  ...readCases()
    .filter(({ name }) => name === 'replica/1-nothing-yet')
    .map(({ xr }) => xr),
];

/** The spec with the value at a path replaced. */
function replaceAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === first ? replaceAt(item, rest, replacement) : item));
  return isRecord(value) ? { ...value, [first]: replaceAt(value[first], rest, replacement) } : value;
}

/** Paths of every value in a claim, the containers too. */
function pathsOf(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const entries = Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
  return [path, ...entries.flatMap(([name, child]) => pathsOf(child, [...path, name]))];
}

/** A path as the user would write it: `spec.eks.nodeTypes[0].accelerators`. */
function written(path: readonly string[]): string {
  return ['spec', ...path].reduce(
    (text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );
}

describe.each(definitions)('a claim of $kind', ({ kind, spec }: { kind: string; spec: z.ZodType }) => {
  const [claim] = claims.filter((candidate) => candidate.kind === kind);
  const [schema] = xrds.filter((xrd) => xrd.kind === kind).map((xrd) => xrd.schema);

  test('is read when it is as in the example, and has no unknown field', () => {
    expect(claim === undefined ? undefined : readSpec(claim, spec).state).toBe('Valid');
    expect(findUnknownFields(schema, { spec: claim?.spec }, '')).toEqual([]);
  });

  test('S1 is refused with the name of the field when any value has the wrong type', () => {
    const paths = pathsOf(claim?.spec, []);
    const silent = paths.filter((path) => {
      const wrong = { ...(claim as KubernetesObject), spec: replaceAt(claim?.spec, path, wrongAt(claim?.spec, path)) };
      const read = readSpec(wrong, spec);
      return read.state === 'Valid' || !read.why.replaceAll(/\.(\d+)/g, '[$1]').includes(written(path));
    });
    expect(silent.map(written)).toEqual([]);
    expect(paths.length).toBeGreaterThan(3);
  });

  test('is refused with the name of the field and a suggestion when any object has an unknown field', () => {
    const objects = pathsOf(claim?.spec, []).filter((path) => isRecord(valueAt(claim?.spec, path)));
    const silent = objects.filter((path) => {
      const found = valueAt(claim?.spec, path);
      const [field = ''] = isRecord(found) ? Object.keys(found) : [];
      const misspelt = isRecord(found) ? { ...found, [`${field}s`]: 1 } : found;
      const said = findUnknownFields(schema, { spec: replaceAt(claim?.spec, path, misspelt) }, '');
      return said.length !== 1 || said[0] !== `${written(path)}.${field}s is no field; did you mean "${field}"?`;
    });
    expect(silent.map(written)).toEqual([]);
    expect(objects.length).toBeGreaterThan(0);
  });
});

/** A value of another type than the one at a path. */
function wrongAt(value: unknown, path: readonly string[]): unknown {
  const found = valueAt(value, path);
  return isRecord(found) || Array.isArray(found) ? 7 : ['wrong'];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(value)) return valueAt(value[Number(first)], rest);
  return isRecord(value) ? valueAt(value[first], rest) : undefined;
}
