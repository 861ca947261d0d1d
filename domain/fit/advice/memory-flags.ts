import type { EngineBuild } from '../engines/engine-build.ts';
import type { Load } from '../load.ts';
import { requestsAtOnce } from '../requests-at-once.ts';
import type { Sizing } from '../verdict.ts';

/** One flag that Modelberth sets, and why it has its value. */
export interface ComputedFlag {
  readonly flag: string;
  readonly value: string;
  readonly reason: string;
}

/** The settings that memory depends on, by the names that each engine has for them. */
export const flagNames = {
  vLLM: {
    maxModelLen: '--max-model-len',
    maxNumSeqs: '--max-num-seqs',
    maxNumBatchedTokens: '--max-num-batched-tokens',
    gpuMemoryUtilization: '--gpu-memory-utilization',
    largestGraph: '--max-cudagraph-capture-size',
    cacheFormat: '--kv-cache-dtype',
  },
  SGLang: {
    maxModelLen: '--context-length',
    maxNumSeqs: '--max-running-requests',
    maxNumBatchedTokens: '--chunked-prefill-size',
    gpuMemoryUtilization: '--mem-fraction-static',
    largestGraph: '--cuda-graph-max-bs',
    cacheFormat: '--kv-cache-dtype',
  },
} as const satisfies Readonly<Record<EngineBuild['type'], Readonly<Record<keyof Sizing, string>>>>;

/** The flags that memory depends on, each with its reason. */
export function memoryFlags(sizing: Sizing, load: Load, type: EngineBuild['type']): readonly ComputedFlag[] {
  const names = flagNames[type];
  const { rule } = requestsAtOnce(load);
  return [
    {
      flag: names.maxModelLen,
      value: `${sizing.maxModelLen}`,
      reason: 'spec.load.contextTokens; a longer request would take the cache of others',
    },
    {
      flag: names.maxNumSeqs,
      value: `${sizing.maxNumSeqs}`,
      reason: `${rule}, a quarter above, rounded up to a power of two; each sequence costs sampler and graph memory (L18)`,
    },
    {
      flag: names.maxNumBatchedTokens,
      value: `${sizing.maxNumBatchedTokens}`,
      reason: 'pinned, so that the activation does not depend on the accelerator',
    },
    { flag: names.gpuMemoryUtilization, value: `${sizing.gpuMemoryUtilization}`, reason: shareReasons[type] },
    ...graphCap(sizing, names.largestGraph),
    cacheType(sizing, names.cacheFormat, type),
    outputBound(load, type),
  ];
}

const shareReasons = {
  vLLM: 'a tenth of the memory is left for the context, graphs and the peaks of a running engine (L17, L18)',
  SGLang: 'the rest holds activations and graphs, as much as the chunk, the ranks and the largest graph take (L17)',
} as const;

function graphCap({ largestGraph }: Sizing, flag: string): readonly ComputedFlag[] {
  if (largestGraph === undefined) return [];
  const reason = 'the next size that holds every sequence and what is drafted for it; larger graphs only cost memory';
  return [{ flag, value: `${largestGraph}`, reason }];
}

/** What each engine calls a format that it is told to use. */
const cacheTypes = {
  vLLM: { bf16: 'auto', fp8: 'fp8', nvfp4: 'nvfp4' },
  SGLang: { bf16: 'auto', fp8: 'fp8_e4m3', nvfp4: 'fp4_e2m1' },
} as const;

function cacheType({ cacheFormat }: Sizing, flag: string, type: EngineBuild['type']): ComputedFlag {
  const reason =
    cacheFormat === undefined
      ? 'the precision of the model; the checkpoint carries no other for its cache'
      : 'the checkpoint says so for its cache (quantisation.cachePrecision), and the fit counts with it';
  return { flag, value: cacheTypes[type][cacheFormat ?? 'bf16'], reason };
}

function outputBound({ maxOutputTokens, contextTokens }: Load, type: EngineBuild['type']): ComputedFlag {
  const value = `{"max_new_tokens":${maxOutputTokens ?? Math.floor(contextTokens / 4)}}`;
  if (type === 'vLLM')
    return {
      flag: '--override-generation-config',
      value,
      reason: 'one unbounded request fragmented a card until it ran out of memory (L17)',
    };
  return {
    flag: '--preferred-sampling-params',
    value,
    reason: 'for callers that state no bound; SGLang has none of its own, so a caller may ask for more (L17)',
  };
}
