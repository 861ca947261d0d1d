import { z } from 'zod';

// A log may have anything in a field; what is no number or no text tells nothing, and stays missing.
const quantity = z.number().nullish().catch(null);
const text = z.string().nullish().catch(null);

/** One start of an engine as a log tells it. What a log does not say stays null; nothing is filled in here. */
export const FitCase = z.object({
  id: z.string().min(1),
  engine: text,
  version: text,
  model: text,
  gpu: text,
  gpu_count: quantity,
  gpu_total_gib: quantity,
  tp: quantity,
  pp: quantity,
  dp: quantity,
  ep: quantity,
  dtype: text,
  quantization: text,
  kv_cache_dtype: text,
  gpu_memory_utilization: quantity,
  max_model_len: quantity,
  max_num_seqs: quantity,
  max_num_batched_tokens: quantity,
  enforce_eager: z.boolean().nullish().catch(null),
  other_flags: text,
  weights_gib_per_rank: quantity,
  available_kv_gib: quantity,
  kv_tokens: quantity,
  block_size: quantity,
  outcome: text,
  max_concurrency_x: quantity,
  /** What the log said in its own words, and what is known of the start beside it. */
  quote: text,
  note: text,
  source: text,
  readOn: text,
  /** A figure of the formula was set on this row, so that it cannot count as a test of it. */
  setsConstant: z.boolean().nullish(),
});
export type FitCase = z.output<typeof FitCase>;
