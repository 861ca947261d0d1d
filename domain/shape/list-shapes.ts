import type { ModelFacts } from '../model/model-facts.ts';
import type { Shape } from './shape.ts';

/**
 * Every shape that the model's geometry allows, fewest nodes first: the tensor parallel size is the accelerators of one
 * node and must divide the attention heads, and the key-value heads or be a multiple of them (vLLM parallel config,
 * fit.md 5, read 2026-12-01). Between nodes the layers are split: pipeline parallelism works over ordinary networking,
 * which is what served when the larger node was refused 17 times (L9).
 */
export function listShapes(
  facts: ModelFacts,
  acceleratorsPerNode: readonly number[],
  mostNodes: number,
): readonly Shape[] {
  const counts = [...new Set(acceleratorsPerNode)].sort((left, right) => left - right);
  const legal = counts.filter((count) => isLegalTensorSize(facts, count));
  const shapes: Shape[] = [];
  for (let nodes = 1; nodes <= Math.min(mostNodes, facts.layers ?? 1); nodes += 1) {
    for (const count of legal) {
      shapes.push({ nodes, acceleratorsPerNode: count, tensorParallelSize: count, pipelineParallelSize: nodes });
    }
  }
  return shapes;
}

/** Tells whether a model can be split over this many accelerators by tensor parallelism. */
export function isLegalTensorSize(facts: ModelFacts, size: number): boolean {
  const { attentionHeads, keyValueHeads } = facts;
  if (size === 1) return true;
  if (attentionHeads === undefined || attentionHeads % size !== 0) return false;
  return keyValueHeads === undefined || keyValueHeads % size === 0 || size % keyValueHeads === 0;
}
