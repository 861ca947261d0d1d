import type { Shape } from './shape.ts';

/** A shape with the sizes that only an engine's own arguments give it; rungs are named without them. */
export interface ParallelShape extends Shape {
  /** Copies of the dense weights that share one set of experts; unset: 1. */
  readonly dataParallelSize?: number;
  /** Ranks that share the experts; unset: experts are cut like everything else. */
  readonly expertParallelSize?: number;
}
