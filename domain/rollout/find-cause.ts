import { isRecord, type KubernetesObject, readList, readNumber, readPath, readString } from '../kubernetes/object.ts';
import { lastFailure } from './engine-condition.ts';
import { findBlocked, imageReasons } from './find-blocked.ts';
import { findUnscheduled } from './find-unscheduled.ts';

/** Why a revision does not answer, as its pods say it, and whether waiting longer could help. */
export interface Cause {
  readonly because: string;
  /** `Never`: it has failed often enough. `Soon`: it deserves some minutes. `Deadline`: nothing speaks against waiting. */
  readonly waitFor: 'Never' | 'Soon' | 'Deadline';
}

/** Restarts after which an engine that ends with an error is not expected to start: kubelet waits 10, 20, 40 s between. */
const mostRestarts = 3;

/** The cause that pods name, the surest first: an image, an engine that ends with an error, what a start waits for. */
export function findCause(pods: readonly KubernetesObject[], size: number): Cause {
  return (
    imageCause(pods) ??
    crashCause(pods) ??
    blockedCause(pods) ??
    nodeCause(pods) ??
    waitingCause(pods) ?? {
      because:
        pods.length < size
          ? `${pods.length} of ${size} pods exist`
          : 'The engine runs and does not pass its readiness probe',
      waitFor: 'Deadline',
    }
  );
}

function imageCause(pods: readonly KubernetesObject[]): Cause | undefined {
  const waiting = pods.flatMap((pod) => containerStatuses(pod).map((status) => [pod, status] as const));
  const stuck = waiting.find(([, status]) => imageReasons.includes(waitingReason(status)));
  if (stuck === undefined) return undefined;
  const [pod, status] = stuck;
  const reason = waitingReason(status);
  const words = quote(readString(status, ['state', 'waiting', 'message']));
  const because = `Image "${status.image}" of pod "${pod.metadata.name}" cannot be pulled (${reason})${words}`;
  return { because, waitFor: reason === 'InvalidImageName' ? 'Never' : 'Soon' };
}

function waitingReason(status: Readonly<Record<string, unknown>>): string {
  return readString(status, ['state', 'waiting', 'reason']) ?? '';
}

/** The longest part of what kubelet says that a status keeps, in characters. */
const mostCharacters = 300;

function quote(words: string | undefined): string {
  return words === undefined || words === '' ? '' : `: ${words.slice(0, mostCharacters)}`;
}

function crashCause(pods: readonly KubernetesObject[]): Cause | undefined {
  const because = lastFailure(pods);
  if (because === undefined) return undefined;
  const restarts = pods.flatMap((pod) => containerStatuses(pod).map((status) => readNumber(status, ['restartCount'])));
  return { because, waitFor: Math.max(0, ...restarts.map(Number)) >= mostRestarts ? 'Never' : 'Deadline' };
}

/** A Secret that is not there, which whoever owns it may put there yet. */
function blockedCause(pods: readonly KubernetesObject[]): Cause | undefined {
  const because = findBlocked(pods);
  return because === undefined ? undefined : { because, waitFor: 'Soon' };
}

/** A container that has not started, e.g. since its image is still being pulled: it does not run (S5). */
function waitingCause(pods: readonly KubernetesObject[]): Cause | undefined {
  for (const pod of pods) {
    const status = containerStatuses(pod).find((container) => waitingReason(container) !== '');
    if (status === undefined) continue;
    const because = `Container "${status.name}" of pod "${pod.metadata.name}" waits to start (${waitingReason(status)})`;
    return { because, waitFor: 'Deadline' };
  }
  return undefined;
}

/** A pod that no node takes: no accelerator is free, or a selector matches none. */
function nodeCause(pods: readonly KubernetesObject[]): Cause | undefined {
  const because = findUnscheduled(pods);
  return because === undefined ? undefined : { because, waitFor: 'Deadline' };
}

function containerStatuses(pod: KubernetesObject): readonly Readonly<Record<string, unknown>>[] {
  const status = readPath(pod, ['status']);
  return ['initContainerStatuses', 'containerStatuses'].flatMap((field) => readList(status, [field]).filter(isRecord));
}
