/**
 * The peak of the profile run (fit.md 1.2; measured again with the sources named below, 2026-12-01): the largest of
 * one forward pass of a full chunk, the sampler with all sequences, and the encoder with its largest items. Refused: a
 * constant for each architecture, as published calculators have it; the sampler alone spans 0.01 to 7.4 GiB.
 */
import type { EncoderFacts, ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { type Bytes, gib } from '../../units/bytes.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { EngineBehaviour } from '../engines/vllm-eras.ts';

/** Allocations that every run has. */
const restBytes = 0.05 * gib;
/** An encoder whose geometry is unknown (fit.md 1.2). */
const unknownEncoder = 0.6 * gib;

export interface ActivationQuestion {
  readonly facts: ModelFacts;
  readonly shape: ParallelShape;
  readonly settings: EngineSettings;
  readonly behaviour: EngineBehaviour;
}

/** Bytes of the peak on one rank; undefined where hidden size, widths or vocabulary are unknown. */
export function activationBytes(question: ActivationQuestion): Bytes | undefined {
  const { facts, settings, behaviour } = question;
  const forward = forwardBytes(question);
  if (forward === undefined || facts.vocabularySize === undefined) return undefined;
  const sequences = Math.min(settings.maxNumSeqs, settings.maxNumBatchedTokens);
  const sampler = facts.pooling === true ? 0 : behaviour.samplerBytes * facts.vocabularySize * sequences;
  return Math.max(forward, sampler, encoderBytes(question)) + restBytes;
}

/**
 * 6 hidden vectors and, for a dense layer, 6 bytes for each of its width: gate and up, and what they become, in 2 bytes
 * each. Exact on Llama-3.1-8B without chunks (2.07 GiB at 20,000 and 2.99 at 29,000 tokens), Qwen2.5-0.5B and 7B.
 */
function forwardBytes({ facts, shape, settings }: ActivationQuestion): Bytes | undefined {
  const { hiddenSize: hidden, intermediateSize, experts } = facts;
  if (hidden === undefined) return undefined;
  const ranks = shape.tensorParallelSize;
  const wide = experts === undefined ? denseWidth(intermediateSize, ranks) : expertWidth(experts, hidden, ranks);
  if (wide === undefined) return undefined;
  return settings.maxNumBatchedTokens * (6 * hidden + wide + linearWidth(facts, ranks));
}

function denseWidth(intermediateSize: number | undefined, ranks: number): number | undefined {
  return intermediateSize === undefined ? undefined : (6 * intermediateSize) / ranks;
}

function expertWidth(experts: NonNullable<ModelFacts['experts']>, hidden: number, ranks: number): number | undefined {
  if (experts.intermediateSize === undefined) return undefined;
  const output = 2 * (experts.latentSize ?? hidden);
  return experts.perToken * ((6 * experts.intermediateSize) / ranks + output);
}

/** Scratch of a linear layer for each token: queries, keys, values, gates and outputs, about six in 2 bytes. */
function linearWidth({ linear }: ModelFacts, ranks: number): number {
  return linear === undefined ? 0 : (12 * linear.heads * linear.headSize) / ranks;
}

/** As many of the largest items as fill the chunk, at least one, in one pass. */
function encoderBytes({ facts, shape, settings }: ActivationQuestion): Bytes {
  if (settings.languageModelOnly || settings.imagesDisabled || facts.multimodal !== true) return 0;
  const { encoder, hiddenSize = 0 } = facts;
  if (encoder === undefined) return unknownEncoder;
  const items = Math.max(1, Math.floor(settings.maxNumBatchedTokens / encoder.tokensPerItem));
  const patches = patchBytes(encoder, shape.tensorParallelSize);
  return items * encoder.tokensPerItem * (encoder.patchesPerToken * patches + outputBytes(encoder, hiddenSize));
}

/** Elements of a patch: 3 colours of 2 frames of 16 x 16 (`preprocessor_config.json` of Qwen3-VL). */
const patchElements = 3 * 2 * 16 ** 2;

/**
 * Of one patch: the residual and its norm, the rank's share of the wide layer before and after its activation, and the
 * picture in the precision of the model, in 2 bytes each. Full pictures of Qwen3.8-27B took 2.3 to 2.6 GiB in three logs
 * (a038, c005, f139) where this gives 1.9, and 1.9 in three of Qwen3.5-35B-A3B (f114 to f116) where it gives 1.7. A bound
 * on the pixels (`max_pixels`) is left out: with a half of them an engine still took 1.7 (a047), with a quarter 1.35.
 */
function patchBytes({ hiddenSize, intermediateSize }: EncoderFacts, ranks: number): number {
  return 4 * hiddenSize + (4 * intermediateSize) / ranks + 2 * patchElements;
}

/** The output of each level in 2 bytes, and the joined copy of them. */
function outputBytes({ outputLevels }: EncoderFacts, hidden: number): number {
  return 4 * outputLevels * hidden;
}
