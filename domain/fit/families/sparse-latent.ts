import type { CacheFormat, ModelFacts } from '../../model/model-facts.ts';
import { cacheElementBytes } from '../engine-settings.ts';
import { type LayoutAnswer, type LayoutQuestion, missingFacts } from './cache-layout.ts';
import { draftedLayers } from './drafted-layers.ts';
import { latentBlockTokens } from './latent.ts';

/** Bytes of the fp32 scale that follows each fp8 key of the indexer. */
const indexScaleBytes = 4;

/** A latent and an fp8 key of the indexer for each token and layer (DeepSeek V3.2, GLM-5). */
export function layOutSparseLatent({ facts, shape, settings }: LayoutQuestion): LayoutAnswer {
  const { latent, indexer, layers } = facts;
  if (latent === undefined || indexer === undefined || layers === undefined)
    return { missing: missingFacts(facts, ['layers', 'latent', 'indexer']) };
  const drafts = draftedLayers(facts, settings);
  const stages = shape.pipelineParallelSize;
  const latents = (Math.ceil(layers / stages) + drafts) * latentBytes(latent, settings.cacheFormat);
  const indexed = settings.sharesIndexers ? (indexer.layers ?? layers) : layers;
  const keys = (Math.ceil(indexed / stages) + drafts) * (indexer.headSize + indexScaleBytes);
  const block = settings.blockTokens ?? latentBlockTokens;
  return {
    blockBytes: block * (latents + keys),
    groups: [{ kind: 'tokens', count: 1, blockTokens: block * settings.contextParallelSize }],
  };
}

/** The fp8 form of the sparse kernels keeps the rope part in bf16 and one fp32 scale for 128 elements: 656 bytes. */
function latentBytes({ rank, ropeSize }: NonNullable<ModelFacts['latent']>, format: CacheFormat): number {
  if (format === 'fp8') return rank + (rank / 128) * 4 + 2 * ropeSize;
  return (rank + ropeSize) * cacheElementBytes[format];
}
