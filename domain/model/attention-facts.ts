import { z } from 'zod';

/** How layers attend, and so what a token leaves in the KV cache. Each family has one file in `domain/fit/families/`. */
export const AttentionFamily = z.enum([
  'Full',
  'Latent',
  'SparseLatent',
  'CompressedLatent',
  'SlidingHybrid',
  'LinearHybrid',
  'EncoderDecoder',
]);
export type AttentionFamily = z.output<typeof AttentionFamily>;

/** Layers that hold a cache of their own, by what they hold. */
export const CacheLayers = z
  .object({
    full: z.int32().min(0).optional().describe('Layers that keep every token.'),
    sliding: z.int32().min(0).optional().describe('Layers that keep a window of tokens.'),
    linear: z.int32().min(0).optional().describe('Layers that keep one state for each sequence.'),
  })
  .describe('Layers that hold a cache of their own. Default: every layer is full.');
export type CacheLayers = z.output<typeof CacheLayers>;

/** Multi-head latent attention: one compressed vector for each token and layer, the same on every tensor rank. */
export const LatentFacts = z
  .object({
    rank: z.int32().min(1).describe('`kv_lora_rank`.'),
    ropeSize: z.int32().min(1).describe('`qk_rope_head_dim`.'),
    queryRank: z.int32().min(1).optional().describe('`q_lora_rank`. Unset: queries are not compressed.'),
  })
  .describe('Sizes of multi-head latent attention (MLA).');

/** The indexer of sparse latent attention: a small fp8 key for each token and layer. */
export const IndexerFacts = z
  .object({
    heads: z.int32().min(1).describe('`index_n_heads`.'),
    headSize: z.int32().min(1).describe('`index_head_dim`.'),
    topK: z.int32().min(1).optional().describe('`index_topk`: tokens that attention then reads.'),
    layers: z
      .int32()
      .min(1)
      .optional()
      .describe('Layers with an indexer of their own; the rest share the choice of an earlier one. Default: all.'),
  })
  .describe('Sizes of the indexer of sparse latent attention.');

export const SlidingFacts = z
  .object({
    window: z.int32().min(1).describe('`sliding_window` in tokens.'),
    keyValueHeads: z.int32().min(1).describe('Key-value heads of a sliding layer.'),
    headSize: z.int32().min(1).describe('Elements of one key head of a sliding layer.'),
    valueHeadSize: z.int32().min(1).optional().describe('Elements of one value head. Default: headSize.'),
  })
  .describe('Sizes of the sliding layers of a hybrid.');

/**
 * One form for gated delta networks and Mamba-2: the state of a layer is heads x headSize x stateSize, and its
 * convolution runs over heads x headSize + 2 x groups x stateSize channels.
 */
export const LinearFacts = z
  .object({
    type: z.enum(['GatedDelta', 'Mamba2']).describe('Kind of the linear layers.'),
    heads: z.int32().min(1).describe('`linear_num_value_heads` or `mamba_num_heads`.'),
    headSize: z.int32().min(1).describe('`linear_value_head_dim` or `mamba_head_dim`.'),
    stateSize: z.int32().min(1).describe('`linear_key_head_dim` or `ssm_state_size`.'),
    groups: z.int32().min(1).describe('`linear_num_key_heads` or `n_groups`.'),
    convolutionWidth: z.int32().min(1).describe('`linear_conv_kernel_dim` or `conv_kernel`.'),
    statePrecision: z.enum(['bf16', 'fp16', 'fp32']).describe('`mamba_ssm_dtype`: precision of the state.'),
  })
  .describe('Sizes of the linear or Mamba layers of a hybrid.');
export type LinearFacts = z.output<typeof LinearFacts>;

export const CrossAttentionFacts = z
  .object({
    layers: z.int32().min(1).describe('Layers that attend to the encoder.'),
    encoderTokens: z.int32().min(1).describe('Longest output of the encoder in tokens, e.g. 1500 for Whisper.'),
  })
  .describe('Cross attention of an encoder-decoder model; charged once for each request.');
