import type { z } from 'zod';
import { group } from '../domain/kubernetes/label.ts';
import { structuralSchema } from './structural-schema.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  readonly priority?: number;
}

/** A CEL rule of the API server, with the message that names the fix. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
}

/** Everything about one kind that is not in its schemas. */
export interface Definition {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly title: string;
  readonly description: string;
  readonly spec: z.ZodType;
  readonly status: z.ZodType;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath: string;
  };
}

/** The CompositeResourceDefinition of a kind. */
export function compositeResourceDefinition(definition: Definition): Record<string, unknown> {
  const { kind, plural, singular, shortNames, scope } = definition;
  return {
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      scope,
      group,
      names: { kind, plural, singular, shortNames, categories: ['modelberth'] },
      defaultCompositionRef: { name: `${plural}.${group}` },
      versions: [version(definition)],
    },
  };
}

function version(definition: Definition): Record<string, unknown> {
  return {
    name: 'v1alpha1',
    served: true,
    referenceable: true,
    ...(definition.scale === undefined ? {} : { subresources: { scale: definition.scale } }),
    additionalPrinterColumns: definition.columns,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        title: definition.title,
        description: definition.description,
        required: ['spec'],
        properties: { spec: structuralSchema(definition.spec), status: structuralSchema(definition.status) },
      },
    },
  };
}

/** Rules for `.meta()` of a zod schema. */
export function validations(...rules: readonly ValidationRule[]): Record<string, unknown> {
  return { 'x-kubernetes-validations': rules };
}
