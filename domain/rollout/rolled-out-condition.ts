import type { Condition } from '../kubernetes/condition.ts';
import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Readiness } from '../readiness/judge-readiness.ts';
import { judgeWorkload } from '../readiness/judge-workload.ts';

/** Whether what runs is the revision that the claim asks for, from the observed workload and its pods (S5). */
export function rolledOutCondition(
  workload: KubernetesObject | undefined,
  pods: readonly KubernetesObject[],
  revision: string | undefined,
): Condition {
  if (revision === undefined) return nothingRendered(workload);
  const live = workload?.metadata.labels?.[label.revision];
  const running = pods.map((pod) => pod.metadata.labels?.[label.revision]);
  if (workload !== undefined && live === revision) {
    const readiness = judgeWorkload(workload, pods);
    if (running.length === 0 && readiness !== 'Ready') return notSeen(live, readiness);
    if (running.every((hash) => hash === revision)) {
      const message = `Revision ${live} is what the workload was rendered from`;
      return { type: 'RolledOut', status: 'True', reason: 'RevisionLive', message };
    }
  }
  const before = running.find((hash) => hash !== revision) ?? live ?? 'nothing';
  const message = `Revision ${revision} replaces ${before}`;
  return { type: 'RolledOut', status: 'False', reason: 'RollingOut', message };
}

/** The workload asks for the revision, and nothing is seen that runs it. */
function notSeen(live: string, readiness: Readiness): Condition {
  const message = `The workload was rendered from revision ${live}, and no pod of it has been observed yet`;
  return readiness === 'Unknown'
    ? { type: 'RolledOut', status: 'Unknown', reason: 'NotObserved', message }
    : { type: 'RolledOut', status: 'False', reason: 'RollingOut', message };
}

function nothingRendered(workload: KubernetesObject | undefined): Condition {
  if (workload === undefined) {
    return { type: 'RolledOut', status: 'False', reason: 'NotPlaced', message: 'Waiting for a shape that has nodes' };
  }
  const message = 'Nothing was rendered in this pass; what runs stays as it is';
  return { type: 'RolledOut', status: 'Unknown', reason: 'NotPlaced', message };
}
