import { z } from 'zod';
import {
  AttentionFamily,
  CacheLayers,
  CrossAttentionFacts,
  IndexerFacts,
  LatentFacts,
  LinearFacts,
  SlidingFacts,
} from './attention-facts.ts';

const ExpertFacts = z
  .object({
    count: z.int32().min(1).describe('`num_experts`: routed experts of one layer.'),
    perToken: z.int32().min(1).describe('`num_experts_per_tok`.'),
    intermediateSize: z.int32().min(1).optional().describe('`moe_intermediate_size`: width of one expert.'),
    sharedIntermediateSize: z.int32().min(1).optional().describe('Width of all shared experts together. Default none.'),
    latentSize: z
      .int32()
      .min(1)
      .optional()
      .describe('`moe_latent_size`: width in which experts work. Default: hidden.'),
    denseLayers: z.int32().min(0).optional().describe('`first_k_dense_replace`: leading layers without experts.'),
    layers: z.int32().min(1).optional().describe('Layers with experts, where it is not all but denseLayers.'),
  })
  .describe('Mixture of experts.');
export type ExpertFacts = z.output<typeof ExpertFacts>;

const EncoderFacts = z
  .object({
    layers: z.int32().min(1).describe('Layers of the vision encoder.'),
    hiddenSize: z.int32().min(1).describe('Its `hidden_size`.'),
    intermediateSize: z.int32().min(1).describe('Its `intermediate_size`.'),
    patchesPerToken: z.int32().min(1).describe('Patches that are merged into one token of the language model.'),
    tokensPerItem: z.int32().min(1).describe('Tokens of the largest image that the processor admits.'),
    outputLevels: z.int32().min(1).describe('Vectors of hidden size for each token: 1, or more with deepstack.'),
  })
  .describe('Encoder of images.');
export type EncoderFacts = z.output<typeof EncoderFacts>;

/** How one element of the KV cache is stored. `fp8` means what the engine makes of it for the family. */
export const CacheFormat = z.enum(['bf16', 'fp8', 'nvfp4']);
export type CacheFormat = z.output<typeof CacheFormat>;

const QuantisationFacts = z
  .object({
    method: z.string().min(1).describe('`quant_method` or `quant_algo`: fp8, awq, gptq, mxfp4, nvfp4, ...'),
    weightBits: z.int32().min(1).max(16).describe('Bits of one quantised weight.'),
    blockSize: z.int32().min(1).optional().describe('Weights of one scale along a dimension; must divide each shard.'),
    cachePrecision: CacheFormat.optional().describe(
      '`kv_cache_scheme` of the checkpoint: what a KV cache of type auto becomes. Default: the precision.',
    ),
  })
  .describe('`quantization_config`.');

/**
 * What the fit must know of a checkpoint: its geometry as in `config.json`, and the bytes of its weight files. Every
 * field is optional because a claim may state only what differs; what the fit then lacks is named, never guessed.
 */
export const ModelFacts = z
  .object({
    architecture: z
      .string()
      .optional()
      .describe('First entry of `architectures` in config.json, e.g. `LlamaForCausalLM`.'),
    attention: AttentionFamily.optional().describe(
      'Attention family: Full (MHA, GQA, MQA), Latent (MLA), SparseLatent (MLA with an indexer), CompressedLatent, a hybrid of layers, or EncoderDecoder.',
    ),
    layers: z.int32().min(1).optional().describe('`num_hidden_layers`.'),
    hiddenSize: z.int32().min(1).optional().describe('`hidden_size`.'),
    intermediateSize: z.int32().min(1).optional().describe('`intermediate_size` of a dense layer.'),
    attentionHeads: z.int32().min(1).optional().describe('`num_attention_heads`.'),
    keyValueHeads: z.int32().min(1).optional().describe('`num_key_value_heads` of a full layer.'),
    headSize: z.int32().min(1).optional().describe('`head_dim`: elements of one key head of a full layer.'),
    valueHeadSize: z.int32().min(1).optional().describe('`v_head_dim`: elements of one value head. Default: headSize.'),
    vocabularySize: z.int32().min(1).optional().describe('`vocab_size`.'),
    tiedEmbeddings: z.boolean().optional().describe('`tie_word_embeddings`: the head is the embedding. Default false.'),
    maxContextTokens: z.int32().min(1).optional().describe('`max_position_embeddings`: the longest context in tokens.'),
    precision: z
      .enum(['bf16', 'fp16', 'fp8'])
      .optional()
      .describe('Precision of activations and of an unquantised KV cache. fp8 does not act yet: 16 bits are counted.'),
    cacheLayers: CacheLayers.optional(),
    latent: LatentFacts.optional(),
    indexer: IndexerFacts.optional(),
    sliding: SlidingFacts.optional(),
    linear: LinearFacts.optional(),
    crossAttention: CrossAttentionFacts.optional(),
    experts: ExpertFacts.optional(),
    feedForwardLayers: z
      .int32()
      .min(0)
      .optional()
      .describe('Dense feed-forward layers, where it is not one in each layer without experts (Nemotron-H).'),
    mtpLayers: z
      .int32()
      .min(0)
      .optional()
      .describe('`num_nextn_predict_layers`: layers that only speculative decoding loads.'),
    pooling: z
      .boolean()
      .optional()
      .describe('Embedding or reranking model: the engine runs no sampler. Default false.'),
    multimodal: z.boolean().optional().describe('The engine profiles an encoder at start. Default false.'),
    encoder: EncoderFacts.optional(),
    quantisation: QuantisationFacts.optional(),
    weightBytes: z
      .number()
      .positive()
      .optional()
      .describe('Bytes of the weight files that the index lists, not parameters times precision (L4).'),
  })
  .describe('Facts of the checkpoint. Each stated field replaces the shipped catalogue.');
export type ModelFacts = z.output<typeof ModelFacts>;

/** Where a fact was found. */
export type FactOrigin = 'claim' | 'catalogue';
