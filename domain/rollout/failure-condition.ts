import type { Condition } from '../kubernetes/condition.ts';
import type { RevisionVerdict } from './judge-revision.ts';

/** The condition of a revision that does not answer in its time, or has to prove itself; undefined while nothing speaks against it. */
export function failureCondition(
  verdict: RevisionVerdict | undefined,
  wanted: string | undefined,
): Condition | undefined {
  if (verdict?.isProving) {
    const message = `Revision ${wanted} answers, and is tried before it gets requests`;
    return { type: 'RolledOut', status: 'False', reason: 'ConformanceRunning', message };
  }
  if (verdict?.failure === undefined) return undefined;
  const { target, failure } = verdict;
  if (failure.isGivenUp) {
    const message = `Revision ${wanted} failed, and ${target}, the last good one, runs again: ${failure.because}; change the claim to try again`;
    return { type: 'RolledOut', status: 'False', reason: 'RevisionFailed', message };
  }
  if (failure.isUnproven) {
    const message = `Revision ${wanted} runs and gets no requests: ${failure.because}; try it with modelberth probe, then change the claim`;
    return { type: 'RolledOut', status: 'False', reason: 'CaseFailed', message };
  }
  const message = `Revision ${wanted} does not answer in its time: ${failure.because}`;
  return { type: 'RolledOut', status: 'False', reason: 'DeadlineExceeded', message };
}
