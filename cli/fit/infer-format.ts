import type { EngineSettings } from '../../domain/fit/engine-settings.ts';
import { isLayout } from '../../domain/fit/families/cache-layout.ts';
import { layOutCache } from '../../domain/fit/families/families.ts';
import type { CacheFormat, ModelFacts } from '../../domain/model/model-facts.ts';
import type { ParallelShape } from '../../domain/shape/parallel-shape.ts';

/**
 * The format of the cache that a logged block size shows. A hybrid's block is as long as one state of its linear layers
 * takes, so that it tells the bytes of a token; a checkpoint may carry a format of which `auto` says nothing.
 */
export function inferFormat(
  facts: ModelFacts,
  shape: ParallelShape,
  settings: EngineSettings,
  blockTokens: number,
): CacheFormat | undefined {
  if (facts.attention !== 'LinearHybrid') return undefined;
  return (['bf16', 'fp8', 'nvfp4'] as const).find((cacheFormat) => {
    const answer = layOutCache({ facts, shape, settings: { ...settings, cacheFormat } });
    return isLayout(answer) && answer.groups[0]?.blockTokens === blockTokens;
  });
}
