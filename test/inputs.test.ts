import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { structuralSchema } from '../apis/structural-schema.ts';
import { group } from '../domain/kubernetes/label.ts';
import { InputFields, inputKinds } from '../functions/input.ts';
import { functionNames } from '../functions/steps.ts';

const functionsFolder = join(import.meta.dirname, '../functions');
const heading = '# Generated from functions/input.ts by `npm run generate`; do not edit.\n';

describe('the Input of each function', () => {
  it.each(functionNames)('%s has its CRD in the package', async (name) => {
    const yaml = stringify(inputDefinition(inputKinds[name]), { lineWidth: 0 });
    await expect(`${heading}${yaml}`).toMatchFileSnapshot(join(functionsFolder, name, 'package/input/input.yaml'));
  });

  it('is a kind of its own, since two packages cannot install one CRD', () => {
    expect(new Set(Object.values(inputKinds)).size).toBe(functionNames.length);
  });
});

/** The CRD of an Input. It is never stored: Crossplane reads it in a Composition only. */
function inputDefinition(kind: string): Record<string, unknown> {
  const plural = `${kind.toLowerCase()}s`;
  const { properties } = structuralSchema(InputFields);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fn.${group}` },
    spec: {
      group: `fn.${group}`,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, categories: ['crossplane'] },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'What a Composition may tell this function.',
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                ...(properties as Record<string, unknown>),
              },
            },
          },
        },
      ],
    },
  };
}
