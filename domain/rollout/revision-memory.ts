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
  /** Since when the pods of its gang wait for each other. */
  readonly formingSince?: string;
  /** When the pods of its half gang were told to go. */
  readonly releasedAt?: string;
  /** Why its gang did not form the last time. */
  readonly notFormedBecause?: string;
  /** Whether it was tried: it gets no requests while it waits for that, or has failed. Unset: before revisions were tried. */
  readonly conformance?: 'Waiting' | 'Passed' | 'Failed' | 'NotRun' | '';
}

/** Reads the memory of an observed ControllerRevision; an empty or unreadable moment is none. */
export function readRevisionMemory({ metadata }: KubernetesObject): RevisionMemory {
  const texts = metadata.annotations ?? {};
  const moments = (['startedAt', 'goodAt', 'failedAt', 'formingSince', 'releasedAt'] as const).filter((name) =>
    isTimestamp(texts[annotation[name]]),
  );
  const words = (['failedBecause', 'insteadOf', 'notFormedBecause', 'conformance'] as const).filter(
    (name) => (texts[annotation[name]] ?? '') !== '',
  );
  return Object.fromEntries([...moments, ...words].map((name) => [name, texts[annotation[name]]]));
}

/** Tells whether a revision gets no requests: it has not proved itself yet, or could not. */
export function isHeldBack({ conformance }: RevisionMemory): boolean {
  return conformance === 'Waiting' || conformance === 'Failed';
}

/** Memory as annotations; an empty text forgets, since an annotation is never removed. */
export function toAnnotations(memory: RevisionMemory): Readonly<Record<string, string>> {
  const entries = Object.entries(memory) as [keyof RevisionMemory, string][];
  return Object.fromEntries(entries.map(([name, value]) => [annotation[name], value]));
}

/** What two judgements want to be remembered, by revision. */
export function mergeMemory(
  first: ReadonlyMap<string, RevisionMemory>,
  second: ReadonlyMap<string, RevisionMemory>,
): ReadonlyMap<string, RevisionMemory> {
  const hashes = new Set([...first.keys(), ...second.keys()]);
  return new Map([...hashes].map((hash) => [hash, { ...first.get(hash), ...second.get(hash) }]));
}
