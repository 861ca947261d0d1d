import type { StatedSettings } from '../../domain/fit/engine-settings.ts';
import { findDrafter } from '../../domain/model/find-drafter.ts';

/** Reads the settings that memory depends on from the flags that a log or a person wrote. */
export function readFlags(flags: string): StatedSettings {
  const largestGraph = readGraphCap(flags);
  return {
    ...(largestGraph === undefined ? {} : { largestGraph }),
    ...readDrafter(flags),
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

/** A drafter that the log names, else the one that the checkpoint carries itself; a bare `MTP` proposes one token. */
function readDrafter(flags: string): StatedSettings {
  const drafter = findDrafter(/'model': '([^']+)'/.exec(flags)?.[1] ?? '');
  const draftTokens = firstNumber(flags, /num_speculative_tokens'?: (\d+)|MTP[- ](\d+)/);
  if (drafter !== undefined) return { drafter, draftTokens };
  return /\bmtp\b/i.test(flags) ? { draftTokens: draftTokens ?? 1 } : {};
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
