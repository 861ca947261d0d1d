import type { CacheFormat } from '../model/model-facts.ts';
import type { Bytes } from '../units/bytes.ts';
import type { Compatibility } from './compatibility/find-compatibility.ts';
import type { HostTerms } from './terms/host.ts';

/** Where the value of a term comes from: `measured` by an engine's log, `estimate` from geometry in place of a file. */
export type TermOrigin = 'measured' | 'file' | 'estimate' | 'formula' | 'default' | 'hardware' | 'claim';

/** One share of the memory of an accelerator. */
export interface Term {
  readonly name: 'visible' | 'requested' | 'weights' | 'activation' | 'graphs' | 'nonTorch' | 'kvCache' | 'headroom';
  readonly bytes: Bytes;
  readonly origin: TermOrigin;
}

/** The settings of the engine that the verdict was made with. */
export interface Sizing {
  readonly gpuMemoryUtilization: number;
  readonly maxModelLen: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  /** The largest CUDA graph that is captured, in tokens; unset: the engine's own default. */
  readonly largestGraph?: number | undefined;
  /** What the checkpoint says of its KV cache; unset: nothing, so that the cache has the precision of the model. */
  readonly cacheFormat?: CacheFormat | undefined;
}

/** The model fits: how many tokens the KV cache holds, and how many longest requests at once. */
export interface Fit {
  readonly verdict: 'Fit';
  readonly tight: boolean;
  readonly terms: readonly Term[];
  readonly kvTokens: number;
  /** Requests of the full context that the KV cache holds at once. */
  readonly concurrency: number;
  /** The settings that were judged: the author's arguments over the computed ones. */
  readonly sizing: Sizing;
  /** What Modelberth sets; each that the author writes as well gives way to his. */
  readonly computed: Sizing;
  /** What the accelerator must have for one request of the full context; the engine claims `requested` all the same. */
  readonly minimum: Bytes;
  readonly host: HostTerms;
  readonly compatibility: Compatibility;
  /** Contradictions between the author's arguments and the claim. */
  readonly warnings: readonly string[];
}

/** The model does not fit: what each accelerator or the node lacks, and the longest context that would fit, if any. */
export interface Misfit {
  readonly verdict: 'Misfit';
  readonly terms: readonly Term[];
  readonly shortfall: Bytes;
  /** Memory that the pod lacks on the node; unset where the node has enough, or was not told. */
  readonly hostShortfall?: Bytes;
  readonly fittingContextTokens?: number;
  /** The longest context that the model admits, where the claim asks for more: the engine refuses to start. */
  readonly longestContextTokens?: number;
  /** The settings that were judged: the author's arguments over the computed ones. */
  readonly sizing: Sizing;
  /** What Modelberth sets; each that the author writes as well gives way to his. */
  readonly computed: Sizing;
  /** What the accelerator must have for one request of the full context; the engine claims `requested` all the same. */
  readonly minimum: Bytes;
  readonly host: HostTerms;
  readonly compatibility: Compatibility;
  readonly warnings: readonly string[];
}

/** A fact is missing, so there is no number. */
export interface Unsupported {
  readonly verdict: 'Unsupported';
  readonly missing: readonly string[];
}

export type Verdict = Fit | Misfit | Unsupported;

/** The bytes of a term by its name; 0 when the verdict has none. */
export function termBytes(terms: readonly Term[], name: Term['name']): Bytes {
  return terms.find((term) => term.name === name)?.bytes ?? 0;
}
