import { isRecord, type KubernetesObject, readList, readString } from '../kubernetes/object.ts';
import { builtInCases } from './cases/built-in-cases.ts';
import { readExitCode } from './exit-code.ts';

/** What the Job of a revision says of it. */
export type Evidence =
  | { readonly state: 'Running' }
  | { readonly state: 'Passed' }
  | { readonly state: 'Failed'; readonly because: string }
  /** It ended without a word on the engine. */
  | { readonly state: 'NotRun'; readonly because: string };

/** Reads the condition of a Job; without one it has not ended. */
export function readJob(job: KubernetesObject | undefined): Evidence {
  const conditions = readList(job, ['status', 'conditions']).filter(isRecord);
  const ended = conditions.find(({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'));
  if (ended === undefined) return { state: 'Running' };
  if (ended.type === 'Complete') return { state: 'Passed' };
  const words = readString(ended, ['message']) ?? '';
  // The words of Kubernetes 1.36, pkg/controller/job/pod_failure_policy.go, read 2026-12-02.
  const [, code] = / failed with exit code (\d+) matching FailJob rule/.exec(words) ?? [];
  const name = code === undefined ? undefined : readExitCode(Number(code));
  if (name !== undefined)
    return {
      state: 'Failed',
      because: `It fails the case ${name}, an engine passes which ${builtInCases[name].proves}`,
    };
  return { state: 'NotRun', because: `${readString(ended, ['reason']) ?? 'Failed'}: ${words}`.slice(0, 300) };
}
