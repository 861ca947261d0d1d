/**
 * Reads the facts of a checkpoint from its `config.json`. A field that the file does not have stays unknown; the family
 * is read from the fields that only that family has, so that a new architecture of a known family needs no code.
 */
import type { AttentionFamily, CacheLayers, LinearFacts } from './attention-facts.ts';
import { type Config, sectionOf, textOf, wholeOf } from './config-fields.ts';
import type { ModelFacts } from './model-facts.ts';
import { readQuantisation } from './read-quantisation.ts';

/** The facts that a config states. Weights are not in it. */
export function readConfig(config: Config): ModelFacts {
  const text = sectionOf(config, 'text_config') ?? sectionOf(config, 'llm_config') ?? config;
  const attention = readFamily(text);
  const quantisation = readQuantisation(config, text);
  return withoutUnknown({
    architecture: firstOf(config.architectures),
    attention,
    ...readSizes(text),
    precision: readPrecision(textOf(text, 'dtype') ?? textOf(text, 'torch_dtype') ?? textOf(config, 'torch_dtype')),
    tiedEmbeddings: booleanOf(config, 'tie_word_embeddings') ?? booleanOf(text, 'tie_word_embeddings'),
    cacheLayers: attention === 'Full' ? undefined : readCacheLayers(text),
    latent: readLatent(text),
    indexer: readIndexer(text),
    sliding: attention === 'SlidingHybrid' ? readSliding(text) : undefined,
    linear: readLinear(text),
    experts: readExperts(text),
    mtpLayers: wholeOf(text, 'num_nextn_predict_layers', 'mtp_num_hidden_layers'),
    multimodal: sectionOf(config, 'vision_config') === undefined ? undefined : true,
    quantisation,
  });
}

function readFamily(text: Config): AttentionFamily | undefined {
  if (text.compress_ratios !== undefined) return 'CompressedLatent';
  if (wholeOf(text, 'kv_lora_rank') !== undefined)
    return wholeOf(text, 'index_head_dim') === undefined ? 'Latent' : 'SparseLatent';
  const layers = layerTypes(text);
  if (layers.some((layer) => /linear|mamba/.test(layer))) return 'LinearHybrid';
  if (textOf(text, 'hybrid_override_pattern') !== undefined) return 'LinearHybrid';
  if (layers.some((layer) => layer.includes('sliding'))) return 'SlidingHybrid';
  if (booleanOf(text, 'is_encoder_decoder') === true) return 'EncoderDecoder';
  return wholeOf(text, 'num_hidden_layers') === undefined ? undefined : 'Full';
}

function readSizes(text: Config): Partial<ModelFacts> {
  const hidden = wholeOf(text, 'hidden_size');
  const heads = wholeOf(text, 'num_attention_heads');
  const latentHead = sum(wholeOf(text, 'qk_nope_head_dim'), wholeOf(text, 'qk_rope_head_dim'));
  const derived = hidden === undefined || heads === undefined ? undefined : hidden / heads;
  return {
    layers: wholeOf(text, 'num_hidden_layers'),
    hiddenSize: hidden,
    intermediateSize: wholeOf(text, 'intermediate_size'),
    attentionHeads: heads,
    keyValueHeads: wholeOf(text, 'num_global_key_value_heads', 'num_key_value_heads') ?? heads,
    headSize: latentHead ?? wholeOf(text, 'global_head_dim', 'head_dim') ?? derived,
    valueHeadSize: wholeOf(text, 'v_head_dim'),
    vocabularySize: wholeOf(text, 'vocab_size'),
    maxContextTokens: wholeOf(text, 'max_position_embeddings'),
  } as Partial<ModelFacts>;
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}

function layerTypes(text: Config): readonly string[] {
  const types = text.layer_types;
  return Array.isArray(types) ? types.filter((type) => typeof type === 'string') : [];
}

/** Nemotron-H writes its layers as letters: M for Mamba, * for attention. */
function readCacheLayers(text: Config): CacheLayers | undefined {
  const pattern = textOf(text, 'hybrid_override_pattern');
  if (pattern !== undefined) return { full: count(pattern, '*'), linear: count(pattern, 'M') };
  const types = layerTypes(text);
  if (types.length === 0) return undefined;
  const of = (kind: RegExp) => types.filter((type) => kind.test(type)).length;
  const [sliding, linear] = [of(/sliding/), of(/linear|mamba/)];
  return { full: of(/^full|^attention/), ...(sliding > 0 ? { sliding } : {}), ...(linear > 0 ? { linear } : {}) };
}

function count(pattern: string, letter: string): number {
  return pattern.split(letter).length - 1;
}

function readLatent(text: Config): ModelFacts['latent'] {
  const [rank, ropeSize] = [wholeOf(text, 'kv_lora_rank'), wholeOf(text, 'qk_rope_head_dim')];
  if (rank === undefined || ropeSize === undefined) return undefined;
  return withoutUnknown({ rank, ropeSize, queryRank: wholeOf(text, 'q_lora_rank') });
}

function readIndexer(text: Config): ModelFacts['indexer'] {
  const [heads, headSize] = [wholeOf(text, 'index_n_heads'), wholeOf(text, 'index_head_dim')];
  if (heads === undefined || headSize === undefined) return undefined;
  return withoutUnknown({ heads, headSize, topK: wholeOf(text, 'index_topk'), layers: readIndexerLayers(text) });
}

/** Layers with an indexer of their own: listed, or one of every `index_topk_freq` after the first. */
function readIndexerLayers(text: Config): number | undefined {
  const types = text.indexer_types;
  if (Array.isArray(types)) return types.filter((type) => type === 'full').length;
  const [every, layers] = [wholeOf(text, 'index_topk_freq'), wholeOf(text, 'num_hidden_layers')];
  if (every === undefined || every === 1 || layers === undefined) return undefined;
  const first = wholeOf(text, 'index_skip_topk_offset') ?? 1;
  return first + Math.ceil((layers - first) / every) - (first > 1 ? 1 : 0);
}

function readSliding(text: Config): ModelFacts['sliding'] {
  const window = wholeOf(text, 'sliding_window');
  const keyValueHeads = wholeOf(text, 'swa_num_key_value_heads', 'num_key_value_heads');
  const headSize = wholeOf(text, 'swa_head_dim', 'head_dim');
  if (window === undefined || keyValueHeads === undefined || headSize === undefined) return undefined;
  return withoutUnknown({ window, keyValueHeads, headSize, valueHeadSize: wholeOf(text, 'swa_v_head_dim') });
}

function readLinear(text: Config): LinearFacts | undefined {
  const type = wholeOf(text, 'linear_num_value_heads') === undefined ? 'Mamba2' : 'GatedDelta';
  const sizes = {
    heads: wholeOf(text, 'linear_num_value_heads', 'mamba_num_heads'),
    headSize: wholeOf(text, 'linear_value_head_dim', 'mamba_head_dim'),
    stateSize: wholeOf(text, 'linear_key_head_dim', 'ssm_state_size'),
    groups: wholeOf(text, 'linear_num_key_heads', 'n_groups'),
    convolutionWidth: wholeOf(text, 'linear_conv_kernel_dim', 'conv_kernel'),
  };
  if (Object.values(sizes).includes(undefined)) return undefined;
  const statePrecision = textOf(text, 'mamba_ssm_dtype') === 'float32' ? 'fp32' : 'bf16';
  return { type, statePrecision, ...(sizes as Omit<LinearFacts, 'type' | 'statePrecision'>) };
}

function readExperts(text: Config): ModelFacts['experts'] {
  const experts = wholeOf(text, 'num_experts', 'n_routed_experts', 'num_local_experts');
  const perToken = wholeOf(text, 'num_experts_per_tok', 'experts_per_token');
  if (experts === undefined || perToken === undefined) return undefined;
  const intermediateSize = wholeOf(text, 'moe_intermediate_size', 'intermediate_size');
  const shared = wholeOf(text, 'n_shared_experts', 'num_shared_experts');
  const stated = wholeOf(text, 'shared_expert_intermediate_size', 'moe_shared_expert_intermediate_size');
  const multiplied = shared === undefined || intermediateSize === undefined ? undefined : shared * intermediateSize;
  return withoutUnknown({
    count: experts,
    perToken,
    intermediateSize,
    sharedIntermediateSize: stated ?? (multiplied === 0 ? undefined : multiplied),
    latentSize: wholeOf(text, 'moe_latent_size'),
    denseLayers: wholeOf(text, 'first_k_dense_replace'),
  });
}

function readPrecision(dtype: string | undefined): ModelFacts['precision'] {
  if (dtype === undefined) return undefined;
  return dtype === 'float16' ? 'fp16' : 'bf16';
}

function booleanOf(config: Config, field: string): boolean | undefined {
  const value = config[field];
  return typeof value === 'boolean' ? value : undefined;
}

function firstOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

type Known<T> = { [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field] } & {
  [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined>;
};

/** The fields that are known. */
function withoutUnknown<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
}
