import { countParameters, type ParameterCounts } from '../../model/count-parameters.ts';
import type { ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { acceleratorCount } from '../../shape/shape.ts';
import { type Bytes, inGib } from '../../units/bytes.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { TermOrigin } from '../verdict.ts';

export interface WeightTerm {
  readonly bytes: Bytes;
  readonly origin: TermOrigin;
}

/**
 * The table of the rotary embedding, which every rank holds: one row of a head for each position in 2 bytes. To the
 * hundredth of a GiB what engines load beyond the files of Llama-3.1-8B, Qwen3-0.6B and Qwen3-30B-A3B-2507.
 */
function rotaryBytes({ maxContextTokens = 0, headSize = 0, latent, attention }: ModelFacts): Bytes {
  const whole = attention === 'CompressedLatent' ? compressedRotarySize : headSize;
  return 2 * maxContextTokens * (latent?.ropeSize ?? whole);
}

/** DeepSeek V4 turns 64 of the 512 elements of its one head (`qk_rope_head_dim`). */
const compressedRotarySize = 64;

/** Bytes of a weight that no format touches: embeddings, head, norms. */
const plainBytes = 2;

/**
 * Weights of the heaviest rank, from the bytes of the files where they are known, else from geometry and format;
 * undefined where neither says enough. What the engine does not load is taken off: drafting layers without speculative
 * decoding, and the encoder of a model that runs text only.
 */
export function weightTerm(facts: ModelFacts, shape: ParallelShape, settings: EngineSettings): WeightTerm | undefined {
  const counts = countParameters(facts);
  if (facts.weightBytes === undefined) {
    if (counts === undefined) return undefined;
    const linear = bytesPerLinear(facts);
    return { bytes: ofRank(counts, facts, shape, settings, linear), origin: 'estimate' };
  }
  if (counts === undefined)
    return {
      bytes: evenShare(facts.weightBytes, shape) + rotaryBytes(facts) + ownDrafter(shape, settings),
      origin: 'file',
    };
  const linear = linearBytes(facts.weightBytes, counts);
  return { bytes: ofRank(counts, facts, shape, settings, linear), origin: 'file' };
}

function evenShare(bytes: Bytes, shape: ParallelShape): Bytes {
  return bytes / (shape.tensorParallelSize * shape.pipelineParallelSize);
}

/** Bytes of one quantisable weight, so that the counts add up to the files. */
function linearBytes(fileBytes: Bytes, counts: ParameterCounts): number {
  const plain = counts.embedding + counts.head + counts.encoder;
  const quantisable = counts.dense + counts.experts + counts.keyValue + counts.repeated + counts.drafter;
  return Math.max(0, fileBytes - plain * plainBytes) / quantisable;
}

/** The marked estimate for a format: its bits and its scales (fit.md 1.1). */
function bytesPerLinear({ quantisation }: ModelFacts): number {
  if (quantisation === undefined) return plainBytes;
  const scales: Readonly<Record<string, number>> = { nvfp4: 1 / 16, mxfp4: 1 / 32 };
  return quantisation.weightBits / 8 + (scales[quantisation.method] ?? (quantisation.weightBits < 8 ? 1 / 50 : 0.002));
}

function ofRank(
  counts: ParameterCounts,
  facts: ModelFacts,
  shape: ParallelShape,
  settings: EngineSettings,
  linear: number,
): Bytes {
  const { tensorParallelSize: tensor, pipelineParallelSize: stages } = shape;
  const experts = (counts.experts * expertPadding(facts)) / expertRanks(shape);
  const copies = Math.max(1, tensor / Math.max(1, facts.keyValueHeads ?? tensor));
  const layers = counts.dense / tensor + experts + (counts.keyValue * copies) / tensor + counts.repeated;
  const drafts = settings.draftTokens > 0 && settings.drafter === undefined;
  const drafter = drafts ? counts.drafter / expertRanks(shape) : 0;
  const encoder = settings.languageModelOnly ? 0 : counts.encoder / tensor;
  const ends = stages === 1 ? counts.embedding + counts.head : Math.max(counts.embedding, counts.head);
  const plain = (ends / tensor + encoder) * plainBytes;
  return (
    layers * linear * largestStage(facts, stages) +
    drafter * linear +
    plain +
    rotaryBytes(facts) +
    ownDrafter(shape, settings)
  );
}

/** The rank's share of a drafter that is a model of its own. */
function ownDrafter({ tensorParallelSize }: ParallelShape, { drafter }: EngineSettings): Bytes {
  return (drafter?.weightBytes ?? 0) / tensorParallelSize;
}

/** The share of the layers that the largest pipeline stage holds. */
function largestStage(facts: ModelFacts, stages: number): number {
  const layers = facts.layers ?? stages;
  return Math.ceil(layers / stages) / layers;
}

/** Ranks that share the experts: with expert parallelism also those of data parallelism. */
function expertRanks(shape: ParallelShape): number {
  const { tensorParallelSize, expertParallelSize } = shape;
  return expertParallelSize === undefined ? tensorParallelSize : Math.max(expertParallelSize, tensorParallelSize);
}

/** The MXFP4 kernels pad the width of an expert to a multiple of 256: 2880 becomes 3072. */
function expertPadding({ quantisation, experts }: ModelFacts): number {
  const width = experts?.intermediateSize;
  if (quantisation?.method !== 'mxfp4' || width === undefined) return 1;
  return (Math.ceil(width / 256) * 256) / width;
}

/** Bytes of all files that a replica reads onto its disks, where known, else what its ranks hold. */
export function fileBytes(facts: ModelFacts, shape: ParallelShape, weights: Bytes): Bytes {
  return facts.weightBytes ?? weights * acceleratorCount(shape);
}

/** A difference between files and geometry that a reader should know of; a second copy or a wrong format shows so. */
const doubtfulShare = 0.15;

/** A warning where the files and the estimate from geometry and format differ by more than 15%; the files count. */
export function doubtWeights(facts: ModelFacts): readonly string[] {
  const counts = countParameters(facts);
  if (counts === undefined || facts.weightBytes === undefined) return [];
  const { embedding, head, encoder, dense, experts, keyValue, repeated, drafter } = counts;
  const quantised = dense + experts + keyValue + repeated + drafter;
  const estimate = (embedding + head + encoder) * plainBytes + quantised * bytesPerLinear(facts);
  if (Math.abs(estimate / facts.weightBytes - 1) <= doubtfulShare) return [];
  const [file, guess] = [inGib(facts.weightBytes), inGib(estimate)];
  return [`The files hold ${file} GiB where geometry and format give ${guess} GiB; the files count`];
}
