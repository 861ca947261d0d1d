import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionTypes } from '../../domain/kubernetes/condition.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../domain/kubernetes/object.ts';
import { pipelines, steps } from '../../functions/steps.ts';
import { readDefinitions, readObjects, root } from './read-cases.ts';

const folder = join(root, 'compositions');
const files = readdirSync(folder).sort();
const definitions = readDefinitions();
const kinds = Object.keys(pipelines);

function definitionOf(kind: string): KubernetesObject {
  const found = definitions.find((definition) => readString(definition, ['spec', 'names', 'kind']) === kind);
  if (found === undefined) throw new Error(`no apis/*/definition.yaml has kind "${kind}"`);
  return found;
}

function versionOf(kind: string): unknown {
  return readList(definitionOf(kind), ['spec', 'versions'])[0];
}

/** The condition types that the printer columns of a kind show. */
function printedConditions(kind: string): readonly string[] {
  return readList(versionOf(kind), ['additionalPrinterColumns']).flatMap((column) => {
    const type = /@\.type=="(\w+)"/.exec(readString(column, ['jsonPath']) ?? '')?.[1];
    return type === undefined ? [] : [type];
  });
}

/** The properties that the status of a kind declares. */
function statusFields(kind: string): readonly string[] {
  const properties = readPath(versionOf(kind), ['schema', 'openAPIV3Schema', 'properties', 'status', 'properties']);
  return Object.keys(isRecord(properties) ? properties : {}).sort();
}

test('there is one Composition for each kind and no other', () => {
  const plurals = kinds.map((kind) => readString(definitionOf(kind), ['spec', 'names', 'plural']));
  expect(files).toEqual(plurals.map((plural) => `${plural}.yaml`).sort());
});

describe.each(kinds)('the Composition of %s', (kind) => {
  const plural = readString(definitionOf(kind), ['spec', 'names', 'plural']) ?? '';
  const [composition] = readObjects(join(folder, `${plural}.yaml`));

  test('is the pipeline that steps.ts says, step by step, and the one that its definition names', () => {
    const names = pipelines[kind] ?? [];
    expect(composition).toEqual({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: { name: `${plural}.modelberth.dev` },
      spec: {
        compositeTypeRef: { apiVersion: 'modelberth.dev/v1alpha1', kind },
        mode: 'Pipeline',
        pipeline: names.map((name) => ({ step: name, functionRef: { name: `modelberth-${name}` } })),
      },
    });
    expect(readString(definitionOf(kind), ['spec', 'defaultCompositionRef', 'name'])).toBe(composition?.metadata.name);
  });
});

/** The kinds whose status a step's field belongs to; `features` and `fit` are written for more than one kind. */
describe.each(kinds)('S1 the status of %s', (kind) => {
  const names = pipelines[kind] ?? [];

  test('declares no field that no step would carry over in a freeze', () => {
    const carried = new Set(['resources', ...names.flatMap((name) => steps[name].statusFields)]);
    expect(statusFields(kind).filter((field) => !carried.has(field))).toEqual([]);
  });
});

test('S8 every field of a step is declared by the status of a kind that it composes', () => {
  const undeclared = Object.entries(steps).flatMap(([name, step]) => {
    const composed = kinds.filter((kind) => pipelines[kind]?.includes(name as never));
    const declared = new Set(composed.flatMap(statusFields));
    return step.statusFields.filter((field) => !declared.has(field)).map((field) => `${name}: ${field}`);
  });
  expect(undeclared).toEqual([]);
});

describe.each(kinds)('S6 the printer columns of %s', (kind) => {
  test('show conditions that Modelberth sets, and the reason of the first step when it cannot decide', () => {
    const printed = printedConditions(kind);
    expect(printed.filter((type) => !Object.hasOwn(conditionTypes, type))).toEqual([]);
    const [first] = pipelines[kind] ?? [];
    expect(printed).toContain(first === undefined ? undefined : steps[first].mainCondition[kind]);
  });
});
