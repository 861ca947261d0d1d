import type { ModelFacts } from '../../model/model-facts.ts';
import type { EngineSettings } from '../engine-settings.ts';

/** Layers that a drafter adds to the full layers of its target: those of its own model, or the MTP layers of the target. */
export function draftedLayers(facts: ModelFacts, { draftTokens, drafter }: EngineSettings): number {
  if (drafter !== undefined) return drafter.layers;
  return draftTokens > 0 ? (facts.mtpLayers ?? 0) : 0;
}
