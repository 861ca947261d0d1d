import type { StatedSettings } from '../../domain/fit/engine-settings.ts';

/** Reads the settings that memory depends on from the flags that a log or a person wrote. */
export function readFlags(flags: string): StatedSettings {
  const largestGraph = readGraphCap(flags);
  return {
    ...(largestGraph === undefined ? {} : { largestGraph }),
    draftTokens: readDraftTokens(flags),
    prefixCaching: readPrefixCaching(flags),
    contextParallelSize: firstNumber(flags, /(?:dcp|decode_context_parallel_size)[ =]+(\d+)/i),
    languageModelOnly: /language[-_]model[-_]only/.test(flags) ? true : undefined,
    imagesDisabled: /'image': 0/.test(flags) ? true : undefined,
    loraEnabled: /lora/i.test(flags) ? true : undefined,
    kvCacheMemory: firstNumber(flags, /kv-cache-memory-bytes (\d+)/),
  };
}

function readGraphCap(flags: string): number | undefined {
  const listed = /capture sizes \[([\d, ]+)\]/.exec(flags)?.[1];
  if (listed !== undefined) return Math.max(...listed.split(',').map(Number));
  return firstNumber(flags, /(?:max_cudagraph_capture_size=|capture (?:cap|up to|sizes up to) )(\d+)/);
}

/** The tokens of a drafter that the checkpoint carries itself; a bare `MTP` proposes one. */
function readDraftTokens(flags: string): number | undefined {
  if (!/\bmtp\b/i.test(flags)) return undefined;
  return firstNumber(flags, /num_speculative_tokens'?: (\d+)|MTP[- ](\d+)/) ?? 1;
}

function readPrefixCaching(flags: string): boolean | undefined {
  const stated = /enable_prefix_caching=(True|False)/.exec(flags)?.[1];
  return stated === undefined ? undefined : stated === 'True';
}

/** The first number that a pattern captures. */
export function firstNumber(text: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(text);
  const digits = match?.slice(1).find((group) => group !== undefined);
  return digits === undefined ? undefined : Number(digits);
}
