import { beforeAll, describe, expect, test } from 'vitest';
import { definitions } from '../../apis/definitions.ts';
import { isRecord } from '../../domain/kubernetes/object.ts';
import { readExample } from '../claims/claim-row.ts';
import { askApiServer, type CustomResourceDefinition, convertDefinition } from './api-server.ts';
import { readToolbox } from './toolbox.ts';

const toolbox = readToolbox();
const plurals = definitions.map(({ plural }) => plural);
const converted = new Map<string, CustomResourceDefinition>();

beforeAll(async () => {
  for (const plural of plurals) converted.set(plural, await convertDefinition(toolbox, plural));
});

function definitionOf(plural: string): CustomResourceDefinition {
  const definition = converted.get(plural);
  if (definition === undefined) throw new Error(`no definition of ${plural} was converted`);
  return definition;
}

async function faults(definition: CustomResourceDefinition): Promise<readonly string[]> {
  const { definitions: answers } = await askApiServer(toolbox, { definitions: [definition], updates: [] });
  return answers[0] ?? [];
}

/** A copy with the value at a path changed; numbers are indices. */
function change(value: unknown, path: readonly (string | number)[], to: (found: unknown) => unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return to(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? change(item, rest, to) : item));
  return isRecord(value) ? { ...value, [first]: change(value[first], rest, to) } : value;
}

const spec = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'];

function plant(plural: string, path: readonly (string | number)[], to: (found: unknown) => unknown) {
  return change(definitionOf(plural), [...spec, ...path], to) as CustomResourceDefinition;
}

test.each(plurals)(
  'S8 the API server would install %s: it is structural, and its rules compile and cost little',
  async (plural) => {
    expect(await faults(definitionOf(plural))).toEqual([]);
  },
);

describe('the API server would refuse a definition', () => {
  test('when a rule compares each entry with each and the texts have no bound', async () => {
    const unbounded = plant('modeldeployments', ['properties', 'placement', 'properties', 'classes'], (found) => {
      const { maxItems: _, ...list } = isRecord(found) ? found : {};
      return { ...list, items: { type: 'string' } };
    });
    const said = await faults(unbounded);
    expect(said.length).toBeGreaterThan(0);
    expect(said[0]).toContain('estimated rule cost exceeds budget by factor of more than 100x');
  });

  test('when a rule reads a field that is not declared', async () => {
    const rule = { rule: 'self.replica == 1', message: 'planted, so that it does not compile' };
    const said = await faults(plant('modeldeployments', ['x-kubernetes-validations'], () => [rule]));
    expect(said).toEqual([expect.stringContaining("undefined field 'replica'")]);
  });

  test('when a schema has a union', async () => {
    const gatewayName = 'spec.validation.openAPIV3Schema.properties[spec].properties[gatewayName]';
    const said = await faults(
      plant('modelservices', ['properties', 'gatewayName'], () => ({ oneOf: [{ type: 'string' }] })),
    );
    expect(said).toEqual([
      `${gatewayName}.oneOf[0].type: Forbidden: must be empty to be structural`,
      `${gatewayName}.type: Required value: must not be empty for specified object fields`,
    ]);
  });
});

test('celcost says which kind it cannot judge when its definition was refused', async () => {
  const example = readExample('modelservices');
  const update = { old: example, new: example };
  await expect(askApiServer(toolbox, { definitions: [], updates: [update] })).rejects.toThrow(
    'Cannot judge with celcost: cannot judge an update of "ModelService": no accepted definition on stdin has the kind',
  );
});
