import { label } from '../kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readNumber } from '../kubernetes/object.ts';
import { judgeReadiness, type Readiness } from './judge-readiness.ts';

/**
 * What is proven about the workload of a replica. LeaderWorkerSet 0.8 calls itself available while a worker is still
 * pending, so a gang is judged by its pods: each of its current revision must be ready.
 */
export function judgeWorkload(workload: KubernetesObject, pods: readonly KubernetesObject[]): Readiness {
  if (workload.kind !== 'LeaderWorkerSet') return judgeReadiness(workload);
  const size = readNumber(workload, ['spec', 'leaderWorkerTemplate', 'size']);
  const revision = workload.metadata.labels?.[label.revision];
  if (size === undefined || pods.length === 0) return 'Unknown';
  const current = pods.filter((pod) => pod.metadata.labels?.[label.revision] === revision && !isLeaving(pod));
  return current.filter(isReady).length >= size ? 'Ready' : 'NotReady';
}

function isLeaving({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isReady(pod: KubernetesObject): boolean {
  const conditions = readList(pod, ['status', 'conditions']).filter(isRecord);
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
