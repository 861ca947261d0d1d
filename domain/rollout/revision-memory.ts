import { annotation } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isTimestamp } from '../units/duration.ts';

/** What a ControllerRevision remembers of its own life; it is written in the apply that has the effect (S4). */
export interface RevisionMemory {
  /** When nothing but this revision was left to run; its deadline counts from then. */
  readonly startedAt?: string;
  /** When its engine answered first. */
  readonly goodAt?: string;
  /** When it was given up. */
  readonly failedAt?: string;
  /** Why it was given up. */
  readonly failedBecause?: string;
  /** Hash of the failed revision that this one runs for: the same memory in a second place, should one be lost (S1). */
  readonly insteadOf?: string;
}

/** Reads the memory of an observed ControllerRevision; an empty or unreadable moment is none. */
export function readRevisionMemory({ metadata }: KubernetesObject): RevisionMemory {
  const texts = metadata.annotations ?? {};
  const { startedAt, goodAt, failedAt } = annotation;
  const because = texts[annotation.failedBecause] ?? '';
  const insteadOf = texts[annotation.insteadOf] ?? '';
  return {
    ...(isTimestamp(texts[startedAt]) ? { startedAt: texts[startedAt] } : {}),
    ...(isTimestamp(texts[goodAt]) ? { goodAt: texts[goodAt] } : {}),
    ...(isTimestamp(texts[failedAt]) ? { failedAt: texts[failedAt] } : {}),
    ...(because === '' ? {} : { failedBecause: because }),
    ...(insteadOf === '' ? {} : { insteadOf }),
  };
}

/** Memory as annotations; an empty text forgets, since an annotation is never removed. */
export function toAnnotations(memory: RevisionMemory): Readonly<Record<string, string>> {
  const entries = Object.entries(memory) as [keyof RevisionMemory, string][];
  return Object.fromEntries(entries.map(([name, value]) => [annotation[name], value]));
}
