import { cacheElementBytes } from '../engine-settings.ts';
import {
  type CacheGroup,
  groupSize,
  type LayoutAnswer,
  type LayoutQuestion,
  localHeads,
  missingFacts,
} from './cache-layout.ts';
import { draftedLayers } from './drafted-layers.ts';
import { defaultBlockTokens } from './full.ts';

/**
 * Full and sliding layers in one pool: unequal pages are made equal by a larger block for the smaller kind
 * (fit.md 2.2), and a request pays for the window and one chunk of prefill in each sliding group.
 */
export function layOutSlidingHybrid({ facts, shape, settings }: LayoutQuestion): LayoutAnswer {
  const { keyValueHeads, headSize, sliding } = facts;
  const { full, sliding: slides } = facts.cacheLayers ?? {};
  if (keyValueHeads === undefined || headSize === undefined || sliding === undefined)
    return { missing: missingFacts(facts, ['keyValueHeads', 'headSize', 'sliding', 'cacheLayers']) };
  if (full === undefined || slides === undefined) return { missing: ['spec.model.facts.cacheLayers'] };
  const block = settings.blockTokens ?? defaultBlockTokens;
  const element = block * cacheElementBytes[settings.cacheFormat];
  const fullPage = element * localHeads(keyValueHeads, shape) * (headSize + (facts.valueHeadSize ?? headSize));
  const slidingValue = sliding.valueHeadSize ?? sliding.headSize;
  const slidingPage = element * localHeads(sliding.keyValueHeads, shape) * (sliding.headSize + slidingValue);
  const page = Math.max(fullPage, slidingPage);
  const counts = [full + draftedLayers(facts, settings), slides];
  const size = groupSize(counts);
  const blocks = [block * Math.floor(page / fullPage), block * Math.floor(page / slidingPage)];
  return {
    blockBytes: page * Math.ceil(size / shape.pipelineParallelSize),
    groups: groupsOf(counts, blocks, size, sliding.window),
  };
}

function groupsOf(
  [full = 0, slides = 0]: readonly number[],
  [fullBlock = 0, slidingBlock = 0]: readonly number[],
  size: number,
  window: number,
): readonly CacheGroup[] {
  return [
    { kind: 'tokens', count: Math.ceil(full / size), blockTokens: fullBlock },
    { kind: 'window', count: Math.ceil(slides / size), blockTokens: slidingBlock, bound: window },
  ];
}
