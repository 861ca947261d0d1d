/**
 * How SGLang lays out the cache of a hybrid: not one pool of equal blocks, but a pool of tokens beside one of states or
 * of windows, cut at start by a fixed ratio (`--mamba-full-memory-ratio` 0.9 and `--swa-full-tokens-ratio` 0.8 by
 * default; model_runner.py of 0.5, read 2026-12-02). So a pool may be full while the other is not.
 */
import type { ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { cacheElementBytes } from '../engine-settings.ts';
import { type LayoutAnswer, type LayoutQuestion, localHeads, missingFacts } from './cache-layout.ts';
import { draftedLayers } from './drafted-layers.ts';
import { stateBytes } from './linear-hybrid.ts';

/** Bytes of states for each byte of tokens, and tokens of a sliding layer for each token of a full one. */
const ratios = { states: 0.9, windows: 0.8 } as const;

/** Tokens and states: a request pays for its tokens, and at least for as many as its state takes of the other pool. */
function layOutStatePool(question: LayoutQuestion): LayoutAnswer {
  const { facts, shape, settings } = question;
  const { linear, cacheLayers } = facts;
  const perToken = fullBytes(question);
  const states = cacheLayers?.linear;
  if (perToken === undefined || linear === undefined || states === undefined)
    return { missing: missingFacts(facts, ['keyValueHeads', 'headSize', 'linear', 'cacheLayers']) };
  const state = Math.ceil(states / shape.pipelineParallelSize) * stateBytes(linear, shape, settings.draftTokens);
  const least = Math.ceil(state / (ratios.states * perToken));
  return {
    blockBytes: perToken * (1 + ratios.states),
    groups: [{ kind: 'tokens', count: 1, blockTokens: 1, bound: least }],
  };
}

/** Tokens of the full layers, and eight for ten of them in the sliding layers. */
function layOutWindowPool(question: LayoutQuestion): LayoutAnswer {
  const { facts, shape, settings } = question;
  const { sliding, cacheLayers } = facts;
  const perToken = fullBytes(question);
  const slides = cacheLayers?.sliding;
  if (perToken === undefined || sliding === undefined || slides === undefined)
    return { missing: missingFacts(facts, ['keyValueHeads', 'headSize', 'sliding', 'cacheLayers']) };
  const elements = sliding.headSize + (sliding.valueHeadSize ?? sliding.headSize);
  const ofLayer = localHeads(sliding.keyValueHeads, shape) * elements * cacheElementBytes[settings.cacheFormat];
  const windows = ratios.windows * ofStage(slides, shape) * ofLayer;
  return { blockBytes: perToken + windows, groups: [{ kind: 'tokens', count: 1, blockTokens: 1 }] };
}

/** Bytes of one token in all full layers of the largest stage. */
function fullBytes({ facts, shape, settings }: LayoutQuestion): number | undefined {
  const { keyValueHeads, headSize, cacheLayers } = facts;
  if (keyValueHeads === undefined || headSize === undefined || cacheLayers?.full === undefined) return undefined;
  const layers = ofStage(cacheLayers.full, shape) + draftedLayers(facts, settings);
  const elements = localHeads(keyValueHeads, shape) * (headSize + (facts.valueHeadSize ?? headSize));
  return layers * elements * cacheElementBytes[settings.cacheFormat];
}

function ofStage(layers: number, { pipelineParallelSize }: ParallelShape): number {
  return Math.ceil(layers / pipelineParallelSize);
}

/** Whether a model has layers of more than one kind, for which SGLang keeps more than one pool. */
export function poolsOf({ attention }: ModelFacts): ((question: LayoutQuestion) => LayoutAnswer) | undefined {
  if (attention === 'LinearHybrid') return layOutStatePool;
  return attention === 'SlidingHybrid' ? layOutWindowPool : undefined;
}
