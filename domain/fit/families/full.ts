import { cacheElementBytes } from '../engine-settings.ts';
import { type LayoutAnswer, type LayoutQuestion, localHeads, missingFacts } from './cache-layout.ts';
import { draftedLayers } from './drafted-layers.ts';

/** Tokens of one block where nothing enlarges it (vLLM, read 2026-12-01). */
export const defaultBlockTokens = 16;

/** Keys and values of every layer of the largest stage (MHA, GQA, MQA). */
export function layOutFull({ facts, shape, settings }: LayoutQuestion): LayoutAnswer {
  const { keyValueHeads, headSize } = facts;
  const layers = facts.cacheLayers?.full ?? facts.layers;
  if (keyValueHeads === undefined || headSize === undefined || layers === undefined)
    return { missing: missingFacts(facts, ['layers', 'keyValueHeads', 'headSize']) };
  const elements = localHeads(keyValueHeads, shape) * (headSize + (facts.valueHeadSize ?? headSize));
  const ofStage = Math.ceil(layers / shape.pipelineParallelSize);
  const block = settings.blockTokens ?? defaultBlockTokens;
  return {
    blockBytes: block * (ofStage + draftedLayers(facts, settings)) * elements * cacheElementBytes[settings.cacheFormat],
    groups: [{ kind: 'tokens', count: 1, blockTokens: block * settings.contextParallelSize }],
  };
}
