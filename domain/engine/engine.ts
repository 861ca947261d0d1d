import { z } from 'zod';

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
  })
  .describe('The engine that serves the model.');
export type Engine = z.output<typeof Engine>;
