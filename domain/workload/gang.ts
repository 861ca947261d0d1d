import type { WorkloadQuestion } from './workload-question.ts';

/** Tells whether a replica spreads over several nodes. */
export function isGang({ shape }: Pick<WorkloadQuestion, 'shape'>): boolean {
  return shape.nodes > 1;
}
