import type { Accelerator } from '../hardware/accelerator.ts';
import type { Drafter } from '../model/find-drafter.ts';
import type { CacheFormat, ModelFacts } from '../model/model-facts.ts';
import { type Bytes, gib } from '../units/bytes.ts';
import type { EngineBehaviour } from './engines/vllm-eras.ts';

/** Bytes of one element by format (nvfp4: half a byte and one fp8 scale for 16 elements). */
export const cacheElementBytes: Readonly<Record<CacheFormat, number>> = { bf16: 2, fp8: 1, nvfp4: 0.5625 };

/** Every setting that memory depends on, with no default left open. */
export interface EngineSettings {
  readonly gpuMemoryUtilization: number;
  readonly maxModelLen: number;
  /** Whether the context was stated, and is not the longest that the model admits. */
  readonly statesContext: boolean;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  /** Whether the sequences were stated, and are not a default that the engine may lower. */
  readonly statesSequences: boolean;
  readonly cacheFormat: CacheFormat;
  /** Sizes for which CUDA graphs are captured; 0 when eager. */
  readonly graphSizes: number;
  /** Tokens that a drafter proposes at once; 0 without speculative decoding. */
  readonly draftTokens: number;
  /** The model that proposes them, where it is not the target itself. */
  readonly drafter?: Drafter;
  /** The name of a model that proposes tokens and of which nothing is known. */
  readonly unknownDrafter?: string;
  /** A prefix cache keeps one more state for each group of linear layers. */
  readonly prefixCaching: boolean;
  /** A hybrid has a pool for each kind of layer, and not one for all. */
  readonly separatePools: boolean;
  /** Layers that share the choice of another one's indexer keep no keys for it. */
  readonly sharesIndexers: boolean;
  /** Ranks over which the tokens of one sequence are spread. */
  readonly contextParallelSize: number;
  /** Tokens of one block where the author fixed it; the engine may still enlarge it. */
  readonly blockTokens?: number;
  /** The encoder of a multimodal model is not loaded. */
  readonly languageModelOnly: boolean;
  /** The encoder is loaded, but no item may be sent, so that it is not profiled. */
  readonly imagesDisabled: boolean;
  readonly loraEnabled: boolean;
  /** Bytes of the pool where the author pinned them; the utilisation is then ignored. */
  readonly kvCacheMemory?: Bytes;
}

/** Settings as far as they are known; the rest is what the engine would choose. */
export type StatedSettings = {
  readonly [Field in keyof EngineSettings]?: EngineSettings[Field] | undefined;
} & { readonly eager?: boolean | undefined; readonly largestGraph?: number | undefined };

/** From this much memory vLLM takes larger defaults, except on an A100 (`get_batch_defaults`, read 2026-12-01). */
const largeMemory = 70 * gib;

/** Fills what is not stated as the engine does. */
export function completeSettings(
  stated: StatedSettings,
  facts: ModelFacts,
  behaviour: EngineBehaviour,
  accelerator: Accelerator,
): EngineSettings {
  const isLarge = isLargeCard(accelerator) && behaviour.runner !== 'V0';
  const maxModelLen = stated.maxModelLen ?? facts.maxContextTokens ?? 0;
  const maxNumSeqs = stated.maxNumSeqs ?? behaviour.defaultSequences[isLarge ? 'large' : 'small'];
  const draftTokens = stated.draftTokens ?? 0;
  return {
    gpuMemoryUtilization: stated.gpuMemoryUtilization ?? behaviour.defaultUtilization,
    maxModelLen,
    statesContext: stated.maxModelLen !== undefined,
    maxNumSeqs,
    statesSequences: stated.maxNumSeqs !== undefined,
    maxNumBatchedTokens: stated.maxNumBatchedTokens ?? defaultBatch(behaviour, isLarge, maxModelLen),
    cacheFormat: stated.cacheFormat ?? facts.quantisation?.cachePrecision ?? 'bf16',
    graphSizes: graphSizesOf(stated, maxNumSeqs),
    draftTokens,
    prefixCaching: stated.prefixCaching ?? cachesPrefixes(facts, behaviour, draftTokens),
    separatePools: behaviour.separatePools,
    sharesIndexers: behaviour.sharesIndexers,
    contextParallelSize: stated.contextParallelSize ?? 1,
    ...readSwitches(stated),
    ...fixedByAuthor(stated),
  };
}

function graphSizesOf(stated: StatedSettings, maxNumSeqs: number): number {
  if (stated.eager === true) return 0;
  return stated.graphSizes ?? countGraphSizes(maxNumSeqs, stated.largestGraph);
}

function fixedByAuthor({ blockTokens, kvCacheMemory, drafter, unknownDrafter }: StatedSettings) {
  return {
    ...(drafter === undefined ? {} : { drafter }),
    ...(unknownDrafter === undefined ? {} : { unknownDrafter }),
    ...(blockTokens === undefined ? {} : { blockTokens }),
    ...(kvCacheMemory === undefined ? {} : { kvCacheMemory }),
  };
}

function readSwitches(stated: StatedSettings) {
  return {
    languageModelOnly: stated.languageModelOnly === true,
    imagesDisabled: stated.imagesDisabled === true,
    loraEnabled: stated.loraEnabled === true,
  };
}

/** A hybrid caches prefixes in newer releases only, and not beside a drafter (measured in 0.24 and 0.25.1). */
function cachesPrefixes(facts: ModelFacts, behaviour: EngineBehaviour, draftTokens: number): boolean {
  return facts.attention !== 'LinearHybrid' || (behaviour.cachesHybridPrefixes && draftTokens === 0);
}

function isLargeCard(accelerator: Accelerator): boolean {
  // The engine looks for "a100" in the name, so that an A800 is large. GB10 shares 122 GiB with its processor, and its
  // logs show the smaller defaults.
  const isSmallByName = /A100|GB10/.test(accelerator.productName);
  return accelerator.visibleMemory >= largeMemory && !isSmallByName;
}

/** Without chunked prefill (V0 up to a context of 32768) one pass takes the whole context. */
function defaultBatch(behaviour: EngineBehaviour, isLarge: boolean, maxModelLen: number): number {
  if (behaviour.runner === 'V0') return maxModelLen <= 32768 ? Math.max(2048, maxModelLen) : 2048;
  return isLarge ? 8192 : 2048;
}

/** Sizes 1, 2, 4, then every 8 below 256, then every 16 up to twice the sequences or the cap, at most 512. */
export function countGraphSizes(maxNumSeqs: number, largestGraph?: number): number {
  const largest = Math.min(largestGraph ?? Math.min(512, 2 * maxNumSeqs), 512);
  const small = [1, 2, 4].filter((size) => size <= largest).length;
  const upTo256 = Math.floor(Math.min(largest, 255) / 8);
  return small + upTo256 + (largest >= 256 ? Math.floor((largest - 256) / 16) + 1 : 0);
}
