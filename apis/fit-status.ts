import { z } from 'zod';

/** The fit verdict in a status: GiB per accelerator, rounded to hundredths. */
export const FitStatus = z
  .object({
    verdict: z.enum(['Fit', 'Misfit', 'Unsupported']).describe('Fit, Misfit, or Unsupported where a fact is unknown.'),
    tight: z.boolean().optional().describe('The headroom is inside the error of the prediction.'),
    terms: z
      .array(
        z
          .object({
            name: z.string().describe('visible, requested, weights, activation, nonTorch, graphs, kvCache, headroom.'),
            gib: z.number().describe('Size in GiB per accelerator.'),
            origin: z.string().describe('Where the value comes from: hardware, file, formula or default.'),
          })
          .describe('One share of the memory.'),
      )
      .optional()
      .describe('Memory of one accelerator, term by term.'),
    kvTokens: z.int32().optional().describe('Tokens that the KV cache holds.'),
    concurrency: z.number().optional().describe('Requests of the full context that the KV cache holds at once.'),
    contextTokens: z.int32().optional().describe('Context that the concurrency is counted in, in tokens.'),
    shortfallGib: z.number().optional().describe('GiB that each accelerator lacks.'),
    host: z
      .object({
        memoryGib: z.number().describe('Memory of the pod in GiB: its processes, what is being loaded, /dev/shm.'),
        diskGib: z.number().describe('Disk for the weight files in GiB, with room for one of them twice.'),
        sharedMemoryGib: z.number().describe('Size of /dev/shm in GiB; it is memory of the pod.'),
      })
      .optional()
      .describe('What one node needs beside its accelerators.'),
    warnings: z
      .array(z.string())
      .max(16)
      .optional()
      .describe('Contradictions between spec.engine.args and what was computed, each with both values.'),
    missing: z.array(z.string()).optional().describe('Facts that are unknown.'),
  })
  .describe('Whether the model fits one accelerator of the shape.');
export type FitStatus = z.output<typeof FitStatus>;
