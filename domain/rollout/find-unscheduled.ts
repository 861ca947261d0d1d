import { isRecord, type KubernetesObject, readList, readString } from '../kubernetes/object.ts';

/** The longest part of what the scheduler says that a status keeps, in characters. */
const mostCharacters = 300;

/** Why no node takes a pod, as the scheduler says it; undefined while it says nothing against any of them. */
export function findUnscheduled(pods: readonly KubernetesObject[]): string | undefined {
  for (const pod of pods) {
    const refusal = refusalOf(pod);
    if (refusal === undefined) continue;
    const words = (readString(refusal, ['message']) ?? '').slice(0, mostCharacters);
    return `No node takes pod "${pod.metadata.name}" (${refusal.reason})${words === '' ? '' : `: ${words}`}`;
  }
  return undefined;
}

/** Tells whether the scheduler has said that it has no node for a pod. */
export function isUnscheduled(pod: KubernetesObject): boolean {
  return refusalOf(pod) !== undefined;
}

function refusalOf(pod: KubernetesObject): Readonly<Record<string, unknown>> | undefined {
  return readList(pod, ['status', 'conditions'])
    .filter(isRecord)
    .find(({ type, status }) => type === 'PodScheduled' && status === 'False');
}
