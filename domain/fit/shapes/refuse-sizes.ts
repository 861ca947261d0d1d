import type { ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';

/** One dimension that every tensor rank must get an equal share of. */
interface Divided {
  readonly name: string;
  readonly of: (facts: ModelFacts) => number | undefined;
}

const divided: readonly Divided[] = [
  { name: 'attention heads', of: ({ attentionHeads }) => attentionHeads },
  { name: 'linear heads', of: ({ linear }) => linear?.heads },
  { name: 'the feed-forward width', of: ({ experts, intermediateSize }) => (experts ? undefined : intermediateSize) },
  { name: 'the width of an expert', of: ({ experts }) => experts?.intermediateSize },
];

/**
 * Every reason why the geometry of a model forbids the parallel sizes of a shape (vLLM's parallel config and its
 * quantised layers, fit.md 5, read 2026-12-01). Empty where the engine can split it.
 */
export function refuseSizes(facts: ModelFacts, shape: ParallelShape): readonly string[] {
  const { tensorParallelSize: tensor, pipelineParallelSize: stages } = shape;
  const reasons: string[] = [];
  for (const { name, of } of divided) {
    const size = of(facts);
    if (size !== undefined && size % tensor !== 0) reasons.push(`${size} ${name} cannot be divided by ${tensor} ranks`);
  }
  const { keyValueHeads: heads, layers, latent } = facts;
  if (latent === undefined && heads !== undefined && heads % tensor !== 0 && tensor % heads !== 0)
    reasons.push(`${heads} key-value heads neither divide ${tensor} ranks nor are divided by them`);
  if (layers !== undefined && stages > layers) reasons.push(`${stages} stages are more than the ${layers} layers`);
  return [...reasons, ...refuseExperts(facts, shape), ...refuseBlocks(facts, tensor)];
}

function refuseExperts({ experts }: ModelFacts, { expertParallelSize }: ParallelShape): readonly string[] {
  if (experts === undefined || expertParallelSize === undefined || experts.count % expertParallelSize === 0) return [];
  return [`${experts.count} experts cannot be divided by ${expertParallelSize} expert ranks`];
}

/** A shard of a block-quantised layer must hold whole blocks (L5: a shard of 1856 where the engine expects 1792). */
function refuseBlocks(facts: ModelFacts, tensor: number): readonly string[] {
  const block = facts.quantisation?.blockSize;
  const width = facts.experts?.intermediateSize ?? facts.intermediateSize;
  if (block === undefined || width === undefined || (width / tensor) % block === 0) return [];
  return [`a shard of ${width / tensor} holds no whole number of quantised blocks of ${block}`];
}
