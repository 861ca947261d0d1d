import type { LinearFacts } from '../../model/attention-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { cacheElementBytes } from '../engine-settings.ts';
import { groupSize, type LayoutAnswer, type LayoutQuestion, localHeads, missingFacts } from './cache-layout.ts';
import { draftedLayers } from './drafted-layers.ts';
import { defaultBlockTokens } from './full.ts';

const stateElementBytes = { bf16: 2, fp16: 2, fp32: 4 } as const;
/** Bytes of one element of the convolution state, which keeps the model's precision. */
const convolutionElementBytes = 2;

/**
 * Full and linear (or Mamba) layers in one pool: the block of the full layers grows until its page holds one state of a
 * linear layer (fit.md 2.3). A request pays for its tokens in the full group and for states in each linear group: one,
 * one for each drafted token, and one more where a prefix cache keeps the state at a block's edge.
 */
export function layOutLinearHybrid({ facts, shape, settings }: LayoutQuestion): LayoutAnswer {
  const { keyValueHeads, headSize, linear } = facts;
  const { full, linear: states } = facts.cacheLayers ?? {};
  if (keyValueHeads === undefined || headSize === undefined || linear === undefined)
    return { missing: missingFacts(facts, ['keyValueHeads', 'headSize', 'linear', 'cacheLayers']) };
  if (full === undefined || states === undefined) return { missing: ['spec.model.facts.cacheLayers'] };
  const heads = localHeads(keyValueHeads, shape);
  const perToken = heads * (headSize + (facts.valueHeadSize ?? headSize)) * cacheElementBytes[settings.cacheFormat];
  const step = Math.max(defaultBlockTokens, settings.blockTokens ?? 0);
  const state = stateBytes(linear, shape, settings.draftTokens);
  const block = settings.blockTokens !== undefined && state <= step * perToken ? step : blockFor(state, perToken);
  const counts = [full + draftedLayers(facts, settings), states] as const;
  const size = groupSize(counts);
  const perRequest = 1 + settings.draftTokens + (settings.prefixCaching ? 1 : 0);
  return {
    blockBytes: block * perToken * Math.ceil(size / shape.pipelineParallelSize),
    groups: [
      { kind: 'tokens', count: Math.ceil(counts[0] / size), blockTokens: block },
      { kind: 'state', count: Math.ceil(counts[1] / size), blockTokens: block, bound: perRequest },
    ],
  };
}

/** Tokens whose keys and values fill at least one state, in steps of a block. */
function blockFor(state: number, perToken: number): number {
  return defaultBlockTokens * Math.ceil(state / (defaultBlockTokens * perToken));
}

/** One state of one linear layer on one tensor rank; drafted tokens widen the convolution. */
export function stateBytes(linear: LinearFacts, shape: ParallelShape, draftTokens: number): number {
  const { heads, headSize, stateSize, groups, convolutionWidth } = linear;
  const ranks = shape.tensorParallelSize;
  const state = (heads / ranks) * headSize * stateSize * stateElementBytes[linear.statePrecision];
  const channels = (heads * headSize + 2 * groups * stateSize) / ranks;
  return state + (convolutionWidth - 1 + draftTokens) * channels * convolutionElementBytes;
}
