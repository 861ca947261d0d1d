import type { Condition } from '../kubernetes/condition.ts';
import { isRecord, type KubernetesObject, readList, readNumber, readPath, readString } from '../kubernetes/object.ts';
import { judgeWorkload } from '../readiness/judge-workload.ts';
import { findBlocked } from './find-blocked.ts';
import { findUnscheduled } from './find-unscheduled.ts';

/** Whether the engine that runs answers, from the observed workload and its pods only (S5). */
export function engineCondition(workload: KubernetesObject | undefined, pods: readonly KubernetesObject[]): Condition {
  if (workload === undefined) {
    return { type: 'EngineReady', status: 'False', reason: 'NotPlaced', message: 'There is no workload yet' };
  }
  const readiness = judgeWorkload(workload, pods);
  const name = `${workload.kind} "${workload.metadata.name ?? ''}"`;
  if (readiness === 'Ready') {
    return {
      type: 'EngineReady',
      status: 'True',
      reason: 'EngineAnswers',
      message: `${name} passes its readiness probe`,
    };
  }
  const failure = lastFailure(pods);
  if (failure !== undefined) return { type: 'EngineReady', status: 'False', reason: 'EngineFailed', message: failure };
  if (readiness === 'NotReady') return { type: 'EngineReady', status: 'False', ...waiting(name, pods) };
  return {
    type: 'EngineReady',
    status: 'Unknown',
    reason: 'NotObserved',
    message: `${name} has not been observed in its current form yet`,
  };
}

/** What an engine that does not answer waits for. */
function waiting(name: string, pods: readonly KubernetesObject[]): Pick<Condition, 'reason' | 'message'> {
  const blocked = findBlocked(pods);
  if (blocked !== undefined) return { reason: 'EngineBlocked', message: blocked };
  const unscheduled = findUnscheduled(pods);
  if (unscheduled !== undefined) return { reason: 'Unschedulable', message: unscheduled };
  return { reason: 'EngineStarting', message: `${name} does not pass its readiness probe yet` };
}

/** A gang of which some pods found no node in time. */
export function gangCondition(because: string): Condition {
  return { type: 'EngineReady', status: 'False', reason: 'GangNotFormed', message: because };
}

/** The longest part of an engine's last words that a status keeps, in characters. */
const mostCharacters = 500;

/** The last words of an engine container that ended with an error; undefined when none did (L38). */
export function lastFailure(pods: readonly KubernetesObject[]): string | undefined {
  // A pod that is being deleted ends by our own signal, which is no failure.
  for (const pod of pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)) {
    const statuses = readList(pod, ['status', 'containerStatuses']).filter(isRecord);
    const words = statuses
      .map((status) => failureOf(status, pod.metadata.name ?? ''))
      .find((text) => text !== undefined);
    if (words !== undefined) return words;
  }
  return undefined;
}

function failureOf(status: Readonly<Record<string, unknown>>, pod: string): string | undefined {
  const ended = readPath(status, ['state', 'terminated']) ?? readPath(status, ['lastState', 'terminated']);
  const exitCode = readNumber(ended, ['exitCode']) ?? 0;
  if (exitCode === 0) return undefined;
  const words = (readString(ended, ['message']) ?? '').trim().slice(-mostCharacters);
  const reason = readString(ended, ['reason']) ?? 'Error';
  const end = `Container "${String(status.name)}" of pod "${pod}" ended with exit code ${exitCode} (${reason})`;
  return words === '' ? end : `${end}: ${words}`;
}
