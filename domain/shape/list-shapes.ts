import type { ModelFacts } from '../model/model-facts.ts';
import type { Shape } from './shape.ts';

/**
 * Every shape on one node that the model's geometry allows, smallest first: the tensor parallel size must divide the
 * attention heads, and the key-value heads or be a multiple of them (reference: vLLM parallel config, fit.md 5,
 * read 2026-12-01). Gangs over several nodes come with the capacity ladder.
 */
export function listShapes(facts: ModelFacts, acceleratorsPerNode: readonly number[]): readonly Shape[] {
  const counts = [...new Set(acceleratorsPerNode)].sort((left, right) => left - right);
  return counts
    .filter((count) => isLegalTensorSize(facts, count))
    .map((count) => ({ nodes: 1, acceleratorsPerNode: count, tensorParallelSize: count, pipelineParallelSize: 1 }));
}

/** Tells whether a model can be split over this many accelerators by tensor parallelism. */
export function isLegalTensorSize(facts: ModelFacts, size: number): boolean {
  const { attentionHeads, keyValueHeads } = facts;
  if (size === 1) return true;
  if (attentionHeads === undefined || attentionHeads % size !== 0) return false;
  return keyValueHeads === undefined || keyValueHeads % size === 0 || size % keyValueHeads === 0;
}
