import { z } from 'zod';
import { formatIssues } from '../domain/kubernetes/field-path.ts';
import { group } from '../domain/kubernetes/label.ts';
import { type FunctionName, functionNames } from './steps.ts';

/** API version of every Input. */
export const inputApiVersion = `fn.${group}/v1alpha1`;

/** Kind of the Input of each function: its own, since each Function package installs the CRD of it. */
export const inputKinds: Readonly<Record<FunctionName, string>> = {
  placement: 'PlacementInput',
  'engine-config': 'EngineConfigInput',
  'rollout-strategy': 'RolloutStrategyInput',
  gateway: 'GatewayInput',
};

/** What a Composition may tell a step. Every field is optional, and so is the Input itself. */
export const InputFields = z.object({
  ttlSeconds: z
    .int32()
    .min(5)
    .max(60)
    .optional()
    .describe('Longest time to the next reconcile, in seconds, 5 to 60. Default: the flag --ttl of the function.'),
  packageVersion: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Release of the Configuration, such as "v0.1.0". A function of another release says so in the condition PackagesMatch. Default: written when the package is made; none in the sources.',
    ),
  evidenceImage: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe(
      'Image that the evidence Jobs run, which is that of the functions; only the rollout-strategy step reads it. Default: written when the package is made; none in the sources, and no revision is tried then.',
    ),
});
export type InputFields = z.output<typeof InputFields>;

export type InputRead =
  | { readonly state: 'Valid'; readonly value: InputFields }
  | { readonly state: 'Invalid'; readonly why: string };

/** Reads the Input of a step; an absent one is valid and empty. The message names the field. */
export function readInput(name: FunctionName, input: Record<string, unknown> | undefined): InputRead {
  if (input === undefined) return { state: 'Valid', value: {} };
  const read = schemas.get(name)?.safeParse(input);
  if (read === undefined) throw new Error(`No schema for the Input of "${name}"`);
  if (read.success) return { state: 'Valid', value: InputFields.parse(read.data) };
  const found = formatIssues(['input'], read.error.issues);
  return { state: 'Invalid', why: `Cannot use the Input of the ${name} step: ${found}; fix it in the Composition` };
}

/** The schema of each Input. Crossplane does not check one against its CRD: what is not declared is refused here. */
const schemas = new Map(
  functionNames.map((name) => [
    name,
    z.strictObject({
      apiVersion: z.literal(inputApiVersion),
      kind: z.literal(inputKinds[name]),
      metadata: z.record(z.string(), z.unknown()).optional(),
      ...InputFields.shape,
    }),
  ]),
);
