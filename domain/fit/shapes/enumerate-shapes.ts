import type { ModelFacts } from '../../model/model-facts.ts';
import type { Shape } from '../../shape/shape.ts';
import { refuseSizes } from './refuse-sizes.ts';

/** Sizes of one node that clouds sell, and the most nodes of a gang that is worth a try. */
const acceleratorCounts = [1, 2, 4, 8];
const mostNodes = 4;

export interface EnumeratedShapes {
  readonly legal: readonly Shape[];
  readonly refused: readonly { readonly shape: Shape; readonly reasons: readonly string[] }[];
}

/**
 * Every way to spread a replica over up to four nodes: tensor parallel within a node, pipeline parallel over nodes, and
 * within a node where the heads cannot be divided further. Smallest first.
 */
export function enumerateShapes(facts: ModelFacts): EnumeratedShapes {
  const legal: Shape[] = [];
  const refused: { shape: Shape; reasons: readonly string[] }[] = [];
  for (const shape of candidates()) {
    const reasons = refuseSizes(facts, shape);
    if (reasons.length === 0) legal.push(shape);
    else refused.push({ shape, reasons });
  }
  return { legal, refused };
}

function* candidates(): Generator<Shape> {
  for (let nodes = 1; nodes <= mostNodes; nodes *= 2) {
    for (const acceleratorsPerNode of acceleratorCounts) {
      for (let tensor = acceleratorsPerNode; tensor >= 1; tensor /= 2) {
        const pipelineParallelSize = (nodes * acceleratorsPerNode) / tensor;
        yield { nodes, acceleratorsPerNode, tensorParallelSize: tensor, pipelineParallelSize };
      }
    }
  }
}
