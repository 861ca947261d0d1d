/**
 * L14: no field is ignored without a word. Every field of every kind is changed, alone, in golden cases; either
 * something else changes with it, or it is on the closed list of fields that do not act yet.
 */
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../apis/definition.ts';
import { definitions } from '../../apis/definitions.ts';
import { inactiveFields } from '../../apis/inactive-fields.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { readExamples } from '../claims/claim-row.ts';
import { type RenderCase, readCases } from '../render/read-cases.ts';
import { fieldAt } from './change-field.ts';
import { furtherCases } from './further-cases.ts';
import { type LeafField, listLeaves, schemaAt } from './leaf-field.ts';
import { entersFit } from './probe-fit.ts';
import { findEffect } from './probe-render.ts';

const golden = readCases();
/** A case of the kind `*-held` only shows that nothing changes. */
const cases = [...furtherCases(golden), ...golden.filter(({ name }) => !/^\w+-held/.test(name))];
/** Cases in which a field of the list is tried: those that showed most of the others. */
const casesOfListed = 6;

/** In this case every edit of a template acts: another revision is tried where one failed. */
const whereEveryEditActs = 'replica-goes-back/';

/** The fields whose effect may be in the fit alone, with the part of its question that they are in. */
const fitParts = [
  ['facts', /^spec\.(template\.)?model\.facts\./],
  ['accelerator', /^spec\.accelerator\./],
] as const;

interface Trial {
  readonly definition: Definition;
  readonly leaf: LeafField;
  /** Cases to try; one that shows the effect moves to the front, since it often shows the next one too. */
  readonly order: RenderCase[];
  readonly most: number;
}

async function acts(trial: Trial): Promise<boolean> {
  return actsOnFit(trial) || (await actsOnRender(trial));
}

function actsOnFit({ definition, leaf }: Trial): boolean {
  return fitParts.some(([part, prefix]) => {
    const [root] = leaf.path.match(prefix) ?? [];
    if (root === undefined) return false;
    const example = fieldAt(exampleOf(definition, leaf), root.split('.').slice(0, -1));
    return entersFit(part, { ...leaf, path: leaf.path.replace(root, '') }, example);
  });
}

async function actsOnRender({ definition, leaf, order, most }: Trial): Promise<boolean> {
  const tried = order.slice(0, most);
  const found = await findEffect({ definition, leaf, example: exampleOf(definition, leaf), cases: tried });
  if (found !== undefined) order.unshift(...order.splice(order.indexOf(found), 1));
  return found !== undefined;
}

/** The example that states a field: a second one has what excludes a field of the first. */
function exampleOf({ plural }: Definition, { path }: LeafField): KubernetesObject {
  const examples = readExamples(plural);
  return examples.find((example) => fieldAt(example, path.split('.')) !== undefined) ?? examples[0];
}

/** The one value that a field may have: nothing can differ by it. */
function hasOneValue({ schema }: LeafField): boolean {
  return Array.isArray(schema.enum) && schema.enum.length === 1;
}

/** Tells whether a field is on the list, or below one that is. */
function isListed(kind: string, path: string): boolean {
  return inactiveFields.some((field) => field.kind === kind && isWithin(path, field.path));
}

function isWithin(path: string, container: string): boolean {
  return `${path}.`.replaceAll('[]', '').startsWith(`${container}.`.replaceAll('[]', ''));
}

/** The fields of a kind that nothing changes with, but for those that are known to act. */
async function findInert(definition: Definition, isKnown: (path: string) => boolean): Promise<ReadonlySet<string>> {
  const { kind } = definition;
  const order = cases.filter(({ xr, required, observed }) =>
    [xr, ...required, ...observed].some((object) => object.kind === kind),
  );
  const leaves = listLeaves(definition).filter((leaf) => !isKnown(leaf.path) && !hasOneValue(leaf));
  const inert = new Set<string>();
  for (const leaf of leaves.filter(({ path }) => !isListed(kind, path)))
    if (!(await acts({ definition, leaf, order, most: order.length }))) inert.add(leaf.path);
  // What is on the list is tried as a whole: a container with everything that is in it.
  const telling = order.filter(({ name }) => !name.startsWith(whereEveryEditActs));
  for (const { path } of inactiveFields.filter((field) => field.kind === kind && !isKnown(field.path))) {
    const leaf = { path, schema: schemaAt(definition, path) ?? {} };
    if (!(await acts({ definition, leaf, order: telling, most: casesOfListed }))) inert.add(path);
  }
  return inert;
}

function definitionOf(kind: string): Definition {
  const definition = definitions.find((known) => known.kind === kind);
  if (definition === undefined) throw new Error(`no kind ${kind}`);
  return definition;
}

const found = new Map<string, Promise<ReadonlySet<string>>>();

function inertOf(kind: string): Promise<ReadonlySet<string>> {
  const known = found.get(kind);
  if (known !== undefined) return known;
  const finding = kind === 'ModelDeployment' ? inertOfDeployment() : findInert(definitionOf(kind), () => false);
  found.set(kind, finding);
  return finding;
}

/** What a replica repeats of its deployment is tried on the replica. */
async function inertOfDeployment(): Promise<ReadonlySet<string>> {
  const onReplica = (path: string) =>
    path
      .replace(/^spec\.(model|load|engine|pod)\./, 'spec.template.$1.')
      .replace(/^spec\.rollout\.(settleSeconds|longestStreamSeconds)$/, 'spec.template.drain.$1');
  const repeated = new Set(listLeaves(definitionOf('ModelReplica')).map(({ path }) => path));
  const inert = await inertOf('ModelReplica');
  const actsThere = (path: string) => repeated.has(onReplica(path)) && !inert.has(onReplica(path));
  return findInert(definitionOf('ModelDeployment'), actsThere);
}

describe.each(definitions)('L14 S6 the fields of $kind', ({ kind }) => {
  const listed = inactiveFields.filter((field) => field.kind === kind).map(({ path }) => path);

  test('act, or are on the list of those that do not act yet', { timeout: 60_000 }, async () => {
    const inert = await inertOf(kind);
    expect([...inert].filter((path) => !isListed(kind, path))).toEqual([]);
  });

  test('do not act where they are on the list, or its condition would lie', { timeout: 60_000 }, async () => {
    const inert = await inertOf(kind);
    expect(listed.filter((path) => !inert.has(path))).toEqual([]);
    expect(listed.filter((path) => schemaAt(definitionOf(kind), path) === undefined)).toEqual([]);
  });

  test('say in their description that they do not act, where they are on the list', () => {
    const silent = listed.filter((path) => {
      const schema = schemaAt(definitionOf(kind), path);
      return !/not act yet/.test(String(schema?.description));
    });
    expect(silent).toEqual([]);
  });
});

test('a field that nobody reads would be found', async () => {
  const definition = definitionOf('ModelService');
  const leaf = { path: 'spec.unread', schema: { type: 'boolean' } };
  const trial = { definition, leaf, order: cases.filter(({ xr }) => xr.kind === definition.kind), most: 99 };
  expect(await acts(trial)).toBe(false);
  expect(await acts({ ...trial, leaf: { path: 'spec.gatewayName', schema: { type: 'string' } } })).toBe(true);
});
