import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { compositeResourceDefinition } from '../apis/definition.ts';
import { definitions } from '../apis/definitions.ts';

const apis = join(import.meta.dirname, '../apis');
const heading = '# Generated from schema.ts and definition.ts by `npm run generate`; do not edit.\n';

describe('the definition of each kind', () => {
  it.each(definitions.map((definition) => [definition.kind, definition] as const))(
    '%s is generated from its schemas',
    async (_kind, definition) => {
      const yaml = stringify(compositeResourceDefinition(definition), { lineWidth: 0, aliasDuplicateObjects: false });
      await expect(`${heading}${yaml}`).toMatchFileSnapshot(join(apis, definition.plural, 'definition.yaml'));
    },
  );

  it('there are six', () => {
    expect(definitions.map((definition) => definition.kind)).toEqual([
      'InferenceClass',
      'InferenceCluster',
      'InferenceGateway',
      'ModelDeployment',
      'ModelReplica',
      'ModelService',
    ]);
  });
});
