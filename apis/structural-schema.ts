import { z } from 'zod';
import { isRecord } from '../domain/kubernetes/object.ts';
import { fieldTitle } from './field-title.ts';

/** Keywords that a Kubernetes structural schema may not have; a union is a flat object with a `type` and a CEL rule. */
const illegalKeywords = ['oneOf', 'anyOf', 'allOf', 'not', '$ref', 'const'];
/** Keywords whose value is data of the API, not a schema. */
const dataKeywords = new Set([
  'default',
  'enum',
  'example',
  'x-kubernetes-validations',
  'required',
  'x-kubernetes-list-map-keys',
]);

/**
 * A zod schema as the structural OpenAPI v3 schema of a CRD, in the form that users write (a codec shows its input).
 * Throws, naming the path and the fix, where zod wrote a keyword that Kubernetes refuses or a field has no description.
 */
export function structuralSchema(schema: z.ZodType): Record<string, unknown> {
  return convertSchema(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }), 'spec');
}

function convertSchema(schema: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  refuseIllegal(schema, path);
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !(key === 'additionalProperties' && (value === false || isOpen)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, convertKeyword(key, value, path)]));
}

function convertKeyword(key: string, value: unknown, path: string): unknown {
  if (!isRecord(value) || dataKeywords.has(key)) return value;
  if (key === 'properties') return convertProperties(value, path);
  return convertSchema(value, key === 'items' ? `${path}[]` : path);
}

function convertProperties(properties: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    const here = `${path}.${name}`;
    if (!isRecord(value) || typeof value.description !== 'string') {
      throw new Error(
        `Cannot write ${here}: it has no description; say what it is, its unit, its default and its effect`,
      );
    }
    converted[name] = { title: fieldTitle(name), ...convertSchema(value, here) };
  }
  return converted;
}

function refuseIllegal(schema: Readonly<Record<string, unknown>>, path: string): void {
  const found = illegalKeywords.find((keyword) => keyword in schema);
  if (found === undefined) return;
  throw new Error(
    `Cannot write ${path} as a structural schema: it has "${found}"; use a flat object with a "type" and a CEL rule`,
  );
}
