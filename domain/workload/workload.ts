import type { KubernetesObject } from '../kubernetes/object.ts';
import { renderDeployment } from './deployment.ts';
import { isGang } from './gang.ts';
import { renderLeaderWorkerSet } from './leader-worker-set.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** The workload of a replica with the key that it is composed under: its kind's own, since a key never changes its kind. */
export function renderWorkload(question: WorkloadQuestion): readonly [string, KubernetesObject] {
  return isGang(question)
    ? ['workload-gang', renderLeaderWorkerSet(question)]
    : ['workload-engine', renderDeployment(question)];
}

/** The kind of workload for a number of nodes, how it goes from one revision to the next, and why. */
export function plannedWorkload(nodes: number): { readonly kind: string; readonly strategy: string } {
  return nodes > 1
    ? { kind: 'LeaderWorkerSet', strategy: 'surge 0, unavailable 1 (no spare accelerator)' }
    : { kind: 'Deployment', strategy: 'Recreate (no spare accelerator)' };
}
