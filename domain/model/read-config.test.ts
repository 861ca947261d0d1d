import { expect, test } from 'vitest';
import type { Config } from './config-fields.ts';
import { findFacts } from './find-facts.ts';
import type { ModelFacts } from './model-facts.ts';
import { readConfig } from './read-config.ts';

const llama: Config = {
  architectures: ['LlamaForCausalLM'],
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  max_position_embeddings: 131072,
  tie_word_embeddings: false,
  torch_dtype: 'bfloat16',
};

const linear = {
  layer_types: ['linear_attention', 'linear_attention', 'linear_attention', 'full_attention'],
  linear_num_value_heads: 32,
  linear_num_key_heads: 16,
  linear_key_head_dim: 128,
  linear_value_head_dim: 128,
  linear_conv_kernel_dim: 4,
  mamba_ssm_dtype: 'float32',
};

const rows: readonly [string, Config, Partial<ModelFacts>][] = [
  ['the head size follows from the hidden size', llama, { attention: 'Full', headSize: 128, precision: 'bf16' }],
  [
    'latent attention compresses keys and values',
    { ...llama, kv_lora_rank: 512, qk_rope_head_dim: 64, qk_nope_head_dim: 128, q_lora_rank: 1536 },
    { attention: 'Latent', latent: { rank: 512, ropeSize: 64, queryRank: 1536 }, headSize: 192 },
  ],
  [
    'an indexer makes it sparse, on one of four layers after the first three',
    {
      ...llama,
      num_hidden_layers: 78,
      kv_lora_rank: 512,
      qk_rope_head_dim: 64,
      index_n_heads: 32,
      index_head_dim: 128,
      index_topk_freq: 4,
      index_skip_topk_offset: 3,
    },
    { attention: 'SparseLatent', indexer: { heads: 32, headSize: 128, layers: 21 } },
  ],
  [
    'some layers slide',
    { ...llama, head_dim: 128, sliding_window: 1024, layer_types: ['sliding_attention', 'full_attention'] },
    {
      attention: 'SlidingHybrid',
      cacheLayers: { full: 1, sliding: 1 },
      sliding: { window: 1024, keyValueHeads: 8, headSize: 128 },
    },
  ],
  [
    'the text config is nested and its layers are linear',
    { architectures: ['Qwen3_5MoeForConditionalGeneration'], vision_config: {}, text_config: { ...llama, ...linear } },
    {
      architecture: 'Qwen3_5MoeForConditionalGeneration',
      attention: 'LinearHybrid',
      multimodal: true,
      cacheLayers: { full: 1, linear: 3 },
      linear: {
        type: 'GatedDelta',
        heads: 32,
        headSize: 128,
        stateSize: 128,
        groups: 16,
        convolutionWidth: 4,
        statePrecision: 'fp32',
      },
    },
  ],
  [
    'Nemotron-H writes its layers as letters',
    {
      ...llama,
      hybrid_override_pattern: 'M-M*-ME',
      mamba_num_heads: 64,
      mamba_head_dim: 64,
      ssm_state_size: 128,
      n_groups: 8,
      conv_kernel: 4,
    },
    { attention: 'LinearHybrid', cacheLayers: { full: 1, linear: 3 } },
  ],
  [
    'experts are counted with the shared ones',
    { ...llama, n_routed_experts: 256, num_experts_per_tok: 8, moe_intermediate_size: 2048, n_shared_experts: 1 },
    { experts: { count: 256, perToken: 8, intermediateSize: 2048, sharedIntermediateSize: 2048 } },
  ],
];

test.each(rows)('readConfig reads the facts when %s', (_name, config, expected) => {
  expect(readConfig(config)).toMatchObject(expected);
});

const formats: readonly [string, Config, ModelFacts['quantisation']][] = [
  [
    'FP8 in blocks',
    { quant_method: 'fp8', fmt: 'e4m3', weight_block_size: [128, 128] },
    { method: 'fp8', weightBits: 8, blockSize: 128 },
  ],
  ['AWQ', { quant_method: 'awq', bits: 4 }, { method: 'awq', weightBits: 4 }],
  ['GPTQ of eight bits', { quant_method: 'gptq', bits: 8 }, { method: 'gptq', weightBits: 8 }],
  ['MXFP4', { quant_method: 'mxfp4' }, { method: 'mxfp4', weightBits: 4 }],
  [
    'NVFP4 of modelopt with an fp8 cache',
    { quant_method: 'modelopt', quant_algo: 'NVFP4', kv_cache_quant_algo: 'FP8' },
    { method: 'nvfp4', weightBits: 4, cachePrecision: 'fp8' },
  ],
  [
    'compressed-tensors of four bits with a scheme for the cache',
    {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: { group_0: { weights: { num_bits: 4 } } },
      kv_cache_scheme: { num_bits: 8 },
    },
    { method: 'compressed-tensors', weightBits: 4, cachePrecision: 'fp8' },
  ],
  ['one that is not known', { quant_method: 'sorcery' }, undefined],
];

test.each(formats)('readConfig understands quantization_config when it is %s', (_name, section, expected) => {
  expect(readConfig({ ...llama, quantization_config: section }).quantisation).toEqual(expected);
});

test('readConfig leaves out what a config does not say, and agrees with the catalogue', () => {
  expect(readConfig({ architectures: ['NewForCausalLM'] })).toEqual({ architecture: 'NewForCausalLM' });
  const { weightBytes: _bytes, ...known } = findFacts('meta-llama/Llama-3.1-8B-Instruct', undefined).facts;
  expect(readConfig(llama)).toEqual({ ...known, attention: 'Full' });
});
