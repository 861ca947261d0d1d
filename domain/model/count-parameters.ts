/**
 * Counts the weights of a model from its geometry, by what happens to them when a replica is split: some are cut over
 * tensor ranks, experts also over expert ranks, some are repeated. The counts divide the bytes of the files; they stand
 * in for the bytes only where no file size is known, and then they are marked as an estimate (L4).
 */
import type { EncoderFacts, ExpertFacts, ModelFacts } from './model-facts.ts';

/** Numbers of weights. */
export interface ParameterCounts {
  /** Embedding of the vocabulary; kept unquantised. */
  readonly embedding: number;
  /** Head; 0 where it is the embedding. */
  readonly head: number;
  /** Attention and dense feed-forward of all layers, without what is repeated. */
  readonly dense: number;
  readonly experts: number;
  /** Key and value projections of all layers; repeated where there are more tensor ranks than heads. */
  readonly keyValue: number;
  /** What every tensor rank holds whole: routers and the down-projections of latent attention. */
  readonly repeated: number;
  readonly encoder: number;
  /** Layers that only speculative decoding loads. */
  readonly drafter: number;
}

/** The counts of a model; undefined where its geometry does not say enough. */
export function countParameters(facts: ModelFacts): ParameterCounts | undefined {
  const { layers, hiddenSize: hidden, vocabularySize: vocabulary } = facts;
  const attention = countAttention(facts);
  const feedForward = countFeedForward(facts);
  if (layers === undefined || hidden === undefined || vocabulary === undefined) return undefined;
  if (attention === undefined || feedForward === undefined) return undefined;
  const embedding = vocabulary * hidden;
  const experts = feedForward.experts * feedForward.expertLayers;
  const repeated = feedForward.router * feedForward.expertLayers + attention.repeated * attention.full;
  const drafted = attention.cut + attention.keyValue + attention.repeated + feedForward.oneLayer + 2 * hidden * hidden;
  return {
    embedding,
    head: facts.tiedEmbeddings === true ? 0 : embedding,
    dense: attention.cut * attention.full + attention.linear + feedForward.dense,
    experts,
    keyValue: attention.keyValue * attention.full,
    repeated,
    encoder: facts.encoder === undefined ? 0 : countEncoder(facts.encoder, hidden),
    drafter: (facts.mtpLayers ?? 0) * drafted,
  };
}

interface AttentionCounts {
  readonly full: number;
  readonly cut: number;
  readonly keyValue: number;
  readonly repeated: number;
  /** All linear layers together. */
  readonly linear: number;
}

function countAttention(facts: ModelFacts): AttentionCounts | undefined {
  const { hiddenSize: hidden, attentionHeads: heads, headSize, layers } = facts;
  if (hidden === undefined || heads === undefined || headSize === undefined || layers === undefined) return undefined;
  const sizes = { hidden, heads, headSize, valueSize: facts.valueHeadSize ?? headSize };
  return facts.latent === undefined
    ? countHeads(facts, sizes, layers)
    : countLatent(facts.latent, facts.indexer, sizes, layers);
}

interface HeadSizes {
  readonly hidden: number;
  readonly heads: number;
  readonly headSize: number;
  readonly valueSize: number;
}

function countHeads(facts: ModelFacts, sizes: HeadSizes, layers: number): AttentionCounts {
  const { hidden, heads, headSize, valueSize } = sizes;
  const keyValue = hidden * (facts.keyValueHeads ?? heads) * (headSize + valueSize);
  // Gated attention of Qwen3.5 and its like doubles the query projection.
  const gate = facts.linear?.type === 'GatedDelta' ? 2 : 1;
  const cut = hidden * heads * headSize * gate + heads * valueSize * hidden;
  const full = facts.attention === 'LinearHybrid' ? (facts.cacheLayers?.full ?? 0) : layers;
  return { full, cut, keyValue, repeated: 0, linear: countLinear(facts, hidden) };
}

function countLatent(
  latent: NonNullable<ModelFacts['latent']>,
  indexer: ModelFacts['indexer'],
  { hidden, heads, headSize, valueSize }: HeadSizes,
  layers: number,
): AttentionCounts {
  const query = latent.queryRank ?? hidden;
  const down = hidden * (latent.rank + latent.ropeSize) + (latent.queryRank ?? 0) * hidden;
  const up = latent.rank * heads * (headSize - latent.ropeSize + valueSize);
  const index = indexer === undefined ? 0 : query * indexer.heads * indexer.headSize + hidden * indexer.headSize;
  const cut = query * heads * headSize + up + heads * valueSize * hidden;
  return { full: layers, cut, keyValue: 0, repeated: down + index, linear: 0 };
}

function countLinear({ linear, cacheLayers }: ModelFacts, hidden: number): number {
  if (linear === undefined) return 0;
  const inner = linear.heads * linear.headSize;
  const projections = hidden * (2 * inner + 2 * linear.groups * linear.stateSize + linear.heads) + inner * hidden;
  return (cacheLayers?.linear ?? 0) * projections;
}

interface FeedForwardCounts {
  readonly dense: number;
  readonly experts: number;
  readonly expertLayers: number;
  readonly router: number;
  readonly oneLayer: number;
}

function countFeedForward(facts: ModelFacts): FeedForwardCounts | undefined {
  const { hiddenSize: hidden, layers, intermediateSize, experts } = facts;
  if (hidden === undefined || layers === undefined) return undefined;
  // Nemotron-H uses an ungated feed-forward of two matrices; every other architecture has three.
  const matrices = facts.architecture?.startsWith('NemotronH') === true ? 2 : 3;
  const denseWidth = matrices * hidden * (intermediateSize ?? 0);
  if (experts !== undefined) return countExperts(experts, hidden, layers, matrices, denseWidth);
  if (intermediateSize === undefined) return undefined;
  const count = facts.feedForwardLayers ?? layers;
  return { dense: count * denseWidth, experts: 0, expertLayers: 0, router: 0, oneLayer: denseWidth };
}

function countExperts(
  experts: ExpertFacts,
  hidden: number,
  layers: number,
  matrices: number,
  denseWidth: number,
): FeedForwardCounts | undefined {
  if (experts.intermediateSize === undefined) return undefined;
  const denseLayers = experts.denseLayers ?? 0;
  const expertLayers = experts.layers ?? layers - denseLayers;
  const routed = experts.count * matrices * (experts.latentSize ?? hidden) * experts.intermediateSize;
  const shared = matrices * hidden * (experts.sharedIntermediateSize ?? 0);
  const router = experts.count * hidden;
  const dense = denseLayers * denseWidth + expertLayers * shared;
  return { dense, experts: routed, expertLayers, router, oneLayer: routed + shared + router };
}

function countEncoder(encoder: EncoderFacts, hidden: number): number {
  const { layers, hiddenSize, intermediateSize, patchesPerToken, outputLevels } = encoder;
  const merged = patchesPerToken * hiddenSize;
  const blocks = layers * (4 * hiddenSize * hiddenSize + 2 * hiddenSize * intermediateSize);
  return blocks + outputLevels * (merged * merged + merged * hidden);
}
