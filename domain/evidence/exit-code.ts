/**
 * The verdict of a check as the exit code of its process, one for each case: what a Job's condition tells of a pod on
 * any cluster, whether the pod can be read or not (S7).
 */
import { type CaseName, caseNames } from './cases/built-in-cases.ts';

/** Above what shells and Node use, below what signals use. */
const firstCode = 20;

/** The exit code that says that a case failed. */
export function exitCodeOf(name: CaseName): number {
  return firstCode + caseNames.indexOf(name);
}

/** The case that an exit code names; undefined for one that says nothing of the engine. */
export function readExitCode(code: number): CaseName | undefined {
  return caseNames[code - firstCode];
}

/** Every exit code that is a verdict against the engine, sorted: with one of them a Job is not tried again. */
export const failingExitCodes: readonly number[] = caseNames.map(exitCodeOf);
