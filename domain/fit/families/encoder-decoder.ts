import { cacheElementBytes } from '../engine-settings.ts';
import { groupSize, type LayoutAnswer, type LayoutQuestion, localHeads, missingFacts } from './cache-layout.ts';
import { defaultBlockTokens } from './full.ts';

/** Self attention for each token, and cross attention to the encoder's output once for each request (fit.md 2). */
export function layOutEncoderDecoder({ facts, shape, settings }: LayoutQuestion): LayoutAnswer {
  const { keyValueHeads, headSize, layers, crossAttention } = facts;
  if (keyValueHeads === undefined || headSize === undefined || layers === undefined || crossAttention === undefined)
    return { missing: missingFacts(facts, ['layers', 'keyValueHeads', 'headSize', 'crossAttention']) };
  const block = settings.blockTokens ?? defaultBlockTokens;
  const elements = localHeads(keyValueHeads, shape) * 2 * headSize;
  const counts = [facts.cacheLayers?.full ?? layers, crossAttention.layers] as const;
  const size = groupSize(counts);
  const page = block * elements * cacheElementBytes[settings.cacheFormat];
  return {
    blockBytes: page * Math.ceil(size / shape.pipelineParallelSize),
    groups: [
      { kind: 'tokens', count: Math.ceil(counts[0] / size), blockTokens: block },
      {
        kind: 'encoder',
        count: Math.ceil(counts[1] / size),
        blockTokens: block,
        bound: crossAttention.encoderTokens,
      },
    ],
  };
}
