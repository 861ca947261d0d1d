import { z } from 'zod';

/** How one replica spreads over nodes and accelerators. Tensor times pipeline size is nodes times accelerators per node. */
export const Shape = z.object({
  nodes: z.int32().min(1),
  acceleratorsPerNode: z.int32().min(1),
  tensorParallelSize: z.int32().min(1),
  pipelineParallelSize: z.int32().min(1),
});
export type Shape = z.output<typeof Shape>;

/** Accelerators of one replica. */
export function acceleratorCount(shape: Shape): number {
  return shape.nodes * shape.acceleratorsPerNode;
}

/** A shape as one word for annotations: `1x1-tp1-pp1`. */
export function formatShape(shape: Shape): string {
  return `${shape.nodes}x${shape.acceleratorsPerNode}-tp${shape.tensorParallelSize}-pp${shape.pipelineParallelSize}`;
}

/** Reads what `formatShape` wrote; undefined for anything else. */
export function parseShape(text: string): Shape | undefined {
  const match = /^(\d+)x(\d+)-tp(\d+)-pp(\d+)$/.exec(text);
  if (match === null) return undefined;
  const [nodes, acceleratorsPerNode, tensorParallelSize, pipelineParallelSize] = match.slice(1).map(Number);
  const read = Shape.safeParse({ nodes, acceleratorsPerNode, tensorParallelSize, pipelineParallelSize });
  return read.success ? read.data : undefined;
}

/** A shape for people: `1 x L4`, `2 nodes x 1 x L40S`. */
export function describeShape(shape: Shape, acceleratorName: string): string {
  const perNode = `${shape.acceleratorsPerNode} x ${acceleratorName}`;
  return shape.nodes === 1 ? perNode : `${shape.nodes} nodes x ${perNode}`;
}
