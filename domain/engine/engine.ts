import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';
import { EngineVariable } from './engine-variable.ts';

const Environment = withRules(z.array(EngineVariable).max(32), [
  {
    rule: 'self.all(v, !has(v.name) || self.exists_one(o, has(o.name) && o.name == v.name))',
    message: 'a variable is written twice: keep each once',
    holds: (variables) => new Set(variables.map(({ name }) => name)).size === variables.length,
  },
]);

/** The engine that serves a model. */
export const Engine = z
  .object({
    type: z
      .enum(['vLLM', 'SGLang'])
      .default('vLLM')
      .describe(
        'Engine: vLLM or SGLang. Default vLLM. Decides the command, the names of the computed flags and how memory is accounted for; SGLang speaks the OpenAI protocol only, and takes maxOutputTokens as a default that a caller may exceed.',
      ),
    image: z
      .string()
      .regex(/^[^\s@]+(:[^\s/:@]+(@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$/)
      .describe(
        'Container image by tag or digest, e.g. `vllm/vllm-openai:v0.19.0` or `lmsysorg/sglang:v0.5.6`. A change is a new revision.',
      ),
    args: z
      .array(z.string().min(1))
      .max(64)
      .default([])
      .describe(
        'Arguments added to the computed ones, e.g. `--enable-prefix-caching`. One that is also computed replaces it. Default none.',
      ),
    env: Environment.optional().describe(
      'Variables added to the environment of the engine, on every pod. One that is also computed replaces it. Unset: none.',
    ),
    imagePullSecrets: z
      .array(
        z
          .string()
          .max(253)
          .regex(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/),
      )
      .max(8)
      .optional()
      .describe(
        'Names of Secrets with the credentials of registries, in the namespace of the claim, on the cluster of the replica. Unset: none.',
      ),
  })
  .describe('The engine that serves the model.');
export type Engine = z.output<typeof Engine>;
