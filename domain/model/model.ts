import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';
import { ModelFacts } from './model-facts.ts';
import { Weights } from './weights.ts';

/** The model to serve and where its weights come from. */
export const Model = withRules(
  z.object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/)
      .describe('Name on the model hub, e.g. `meta-llama/Llama-3.1-8B-Instruct`. A change is a new revision.'),
    revision: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Commit of the checkpoint on the hub. Unset: the newest at each start, which may differ between replicas.',
      ),
    hubTokenSecret: z
      .object({
        name: z
          .string()
          .min(1)
          .describe(
            'Secret in the namespace of the engine: that of the claim, on a Remote cluster with its prefix. Modelberth copies no Secret there; External Secrets or GitOps may.',
          ),
        key: z
          .string()
          .regex(/^[-._a-zA-Z0-9]+$/)
          .default('token')
          .describe('Key in the Secret. Default `token`.'),
      })
      .optional()
      .describe('Secret with the hub token for gated models. Unset: anonymous download.'),
    weights: Weights.optional(),
    facts: ModelFacts.optional(),
  }),
  [
    {
      rule: "!has(self.weights) || !has(self.weights.type) || self.weights.type == 'Hub' || !(has(self.hubTokenSecret) || has(self.revision))",
      message: 'hubTokenSecret and revision have no effect when weights are not of the type "Hub": remove them',
      holds: ({ weights, hubTokenSecret, revision }) =>
        (weights?.type ?? 'Hub') === 'Hub' || (hubTokenSecret === undefined && revision === undefined),
    },
  ],
).describe('The model to serve.');
export type Model = z.output<typeof Model>;
