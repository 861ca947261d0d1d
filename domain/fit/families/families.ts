import type { AttentionFamily } from '../../model/attention-facts.ts';
import { isLayout, type LayoutAnswer, type LayoutQuestion, missingFacts } from './cache-layout.ts';
import { layOutEncoderDecoder } from './encoder-decoder.ts';
import { layOutFull } from './full.ts';
import { layOutLatent } from './latent.ts';
import { layOutLinearHybrid } from './linear-hybrid.ts';
import { poolsOf } from './separate-pools.ts';
import { layOutSlidingHybrid } from './sliding-hybrid.ts';
import { layOutSparseLatent } from './sparse-latent.ts';

/** How each attention family lays out its cache. */
const families: Readonly<Record<AttentionFamily, (question: LayoutQuestion) => LayoutAnswer>> = {
  Full: layOutFull,
  Latent: layOutLatent,
  SparseLatent: layOutSparseLatent,
  SlidingHybrid: layOutSlidingHybrid,
  LinearHybrid: layOutLinearHybrid,
  EncoderDecoder: layOutEncoderDecoder,
  // DeepSeek V4: what its compressed layers and their fp32 states are charged differs from build to build (4 to 93 KiB
  // for each token in public logs), so there is no formula to state.
  CompressedLatent: () => ({ missing: ['a KV cache formula for attention "CompressedLatent"'] }),
};

/** The layout of a model's cache, or the facts that it would take. */
export function layOutCache(question: LayoutQuestion): LayoutAnswer {
  const { attention } = question.facts;
  const drafter = unlikeTarget(question);
  if (drafter !== undefined) return { missing: [drafter] };
  const separate = question.settings.separatePools ? poolsOf(question.facts) : undefined;
  if (separate !== undefined) return refuseEmpty(separate(question));
  if (attention !== undefined) return refuseEmpty(families[attention](question));
  return { missing: missingFacts(question.facts, ['layers', 'keyValueHeads', 'headSize', 'attention']) };
}

/** A claim that counts no layer with a cache states no geometry: an endless number of tokens would fit. */
function refuseEmpty(answer: LayoutAnswer): LayoutAnswer {
  const isEmpty = isLayout(answer) && !(answer.blockBytes > 0 && Number.isFinite(answer.blockBytes));
  return isEmpty ? { missing: ['spec.model.facts.cacheLayers'] } : answer;
}

/** A drafter shares the blocks of its target only where its layers are like the target's. */
function unlikeTarget({ facts, settings: { drafter, unknownDrafter } }: LayoutQuestion): string | undefined {
  if (unknownDrafter !== undefined) return `geometry of the drafter "${unknownDrafter}"`;
  if (drafter === undefined || drafter.layers === 0) return undefined;
  const isLike = drafter.keyValueHeads === facts.keyValueHeads && drafter.headSize === facts.headSize;
  const shares = facts.attention === 'Full' || facts.attention === 'SlidingHybrid';
  return isLike && shares ? undefined : `a KV cache formula for the drafter "${drafter.name}" beside this model`;
}
