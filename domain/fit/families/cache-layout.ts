/**
 * How the KV cache of a model is cut into blocks, as vLLM does it: one pool of equal blocks, shared by groups of layers
 * (fit.md 2, read 2026-12-01). A uniform model is one group. A hybrid has several, and a request takes blocks from each:
 * so only blocks and blocks for one request can be compared between models, never tokens for each GiB.
 */
import type { ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import type { Bytes } from '../../units/bytes.ts';
import type { EngineSettings } from '../engine-settings.ts';

/** Layers that are charged together: a block of the group holds the tokens of all its layers. */
export interface CacheGroup {
  readonly kind: 'tokens' | 'window' | 'state' | 'encoder';
  /** Groups of this kind. */
  readonly count: number;
  /** Tokens of one block. */
  readonly blockTokens: number;
  /** Tokens of the window or of the encoder, states of one request, or the fewest blocks of one request. */
  readonly bound?: number;
}

export interface CacheLayout {
  /** Bytes of one block of the pool on one accelerator. */
  readonly blockBytes: Bytes;
  readonly groups: readonly CacheGroup[];
}

export type LayoutAnswer = CacheLayout | { readonly missing: readonly string[] };

export interface LayoutQuestion {
  readonly facts: ModelFacts;
  readonly shape: ParallelShape;
  readonly settings: EngineSettings;
}

/** Tells whether a family could answer. */
export function isLayout(answer: LayoutAnswer): answer is CacheLayout {
  return 'blockBytes' in answer;
}

/** The facts among these that are unknown, as a claim would state them. */
export function missingFacts(facts: ModelFacts, wanted: readonly (keyof ModelFacts)[]): readonly string[] {
  return wanted.filter((field) => facts[field] === undefined).map((field) => `spec.model.facts.${field}`);
}

/** Blocks that one request of a length takes from the pool. */
export function blocksForRequest(layout: CacheLayout, tokens: number, batchedTokens: number): number {
  let blocks = 0;
  for (const group of layout.groups) blocks += group.count * blocksOfGroup(group, tokens, batchedTokens);
  return blocks;
}

function blocksOfGroup(group: CacheGroup, tokens: number, batchedTokens: number): number {
  const { kind, blockTokens, bound = 0 } = group;
  switch (kind) {
    case 'tokens':
      return Math.max(bound, Math.ceil(tokens / blockTokens));
    case 'window':
      // A chunk of prefill is kept beside the window, and the first block may be used in part.
      return Math.ceil(Math.min(bound - 1 + batchedTokens, tokens) / blockTokens) + 1;
    case 'encoder':
      return Math.ceil(bound / blockTokens);
    case 'state':
      return bound;
    default:
      return kind satisfies never;
  }
}

/** Whole blocks in so many bytes. */
export function countBlocks(layout: CacheLayout, bytes: Bytes): number {
  return Math.max(0, Math.floor(bytes / layout.blockBytes));
}

/** Key-value heads on one tensor rank: they are repeated once there are more ranks than heads. */
export function localHeads(heads: number, shape: ParallelShape): number {
  return Math.max(1, heads / shape.tensorParallelSize);
}

/** The layers of one group, so that the pool has few groups and little padding. */
export function groupSize(counts: readonly number[]): number {
  const used = counts.filter((count) => count > 0);
  const [least, most] = [Math.min(...used), Math.max(...used)];
  return most < 1.5 * least ? most : least;
}
