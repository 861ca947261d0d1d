/**
 * The verdict of a check as the exit code of its process, one for each case: what a Job's condition tells of a pod on
 * any cluster, whether the pod can be read or not (S7).
 */
import { type CaseName, caseNames } from './cases/built-in-cases.ts';

/** Above what shells and Node use, below what signals use. */
const firstBuiltIn = 20;
const firstOwn = 40;
/** Most cases of the author. */
export const mostOwnCases = 20;
/** A case of the author failed on the reference too. */
const inDoubt = 60;

/** What an exit code of a check says. */
export type Outcome =
  | { readonly type: 'Conforms' }
  | { readonly type: 'CaseFailed'; readonly name: CaseName }
  /** The case of the author by its place, from 0, in the order of their names. */
  | { readonly type: 'OwnCaseFailed'; readonly place: number }
  | { readonly type: 'CaseInDoubt' };

/** The exit code of an outcome. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.type) {
    case 'Conforms':
      return 0;
    case 'CaseFailed':
      return firstBuiltIn + caseNames.indexOf(outcome.name);
    case 'OwnCaseFailed':
      return firstOwn + outcome.place;
    case 'CaseInDoubt':
      return inDoubt;
    default:
      return outcome satisfies never;
  }
}

/** What an exit code says; undefined for one that says nothing of the engine. */
export function readExitCode(code: number): Outcome | undefined {
  if (code === 0) return { type: 'Conforms' };
  if (code === inDoubt) return { type: 'CaseInDoubt' };
  const name = caseNames[code - firstBuiltIn];
  if (name !== undefined) return { type: 'CaseFailed', name };
  const place = code - firstOwn;
  return place >= 0 && place < mostOwnCases ? { type: 'OwnCaseFailed', place } : undefined;
}

/** Every exit code that is a verdict against the engine or a case, sorted: with one of them a Job is not tried again. */
export const failingExitCodes: readonly number[] = [
  ...caseNames.map((name) => exitCodeOf({ type: 'CaseFailed', name })),
  ...Array.from({ length: mostOwnCases }, (_, place) => exitCodeOf({ type: 'OwnCaseFailed', place })),
  inDoubt,
];
