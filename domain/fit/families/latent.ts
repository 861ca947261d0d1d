import { cacheElementBytes } from '../engine-settings.ts';
import { type LayoutAnswer, type LayoutQuestion, missingFacts } from './cache-layout.ts';
import { draftedLayers } from './drafted-layers.ts';

/** Tokens of one block of the latent kernels. */
export const latentBlockTokens = 64;

/** One latent and one rope key for each token and layer, whole on every tensor rank (MLA). */
export function layOutLatent({ facts, shape, settings }: LayoutQuestion): LayoutAnswer {
  const { latent, layers } = facts;
  if (latent === undefined || layers === undefined) return { missing: missingFacts(facts, ['layers', 'latent']) };
  const ofStage = Math.ceil(layers / shape.pipelineParallelSize) + draftedLayers(facts, settings);
  const block = settings.blockTokens ?? latentBlockTokens;
  const perLayer = (latent.rank + latent.ropeSize) * cacheElementBytes[settings.cacheFormat];
  return {
    blockBytes: block * ofStage * perLayer,
    groups: [{ kind: 'tokens', count: 1, blockTokens: block * settings.contextParallelSize }],
  };
}
