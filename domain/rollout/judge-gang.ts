/**
 * Judges whether a gang comes together. Kubernetes places its pods one by one, so a leader can hold an accelerator for
 * ever while its worker waits for one, and two half gangs can wait for each other. A gang that has not formed in its time
 * is said to be so; where some of its pods hold accelerators and another one is refused by the scheduler, all are taken
 * away, and made again once the last is gone: whoever waits for those accelerators gets them in between.
 * Refused: the condition of LeaderWorkerSet, which is Available while a worker waits (0.8.0, run 2026-12-01); taking pods
 * away because one is not seen, which is no evidence (S1).
 */
import { label } from '../kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readNumber } from '../kubernetes/object.ts';
import { formatTimestamp, millisBetween, minuteMillis } from '../units/duration.ts';
import { findUnscheduled, isUnscheduled } from './find-unscheduled.ts';
import { type RevisionMemory, readRevisionMemory } from './revision-memory.ts';

export interface GangQuestion {
  readonly workload: KubernetesObject | undefined;
  /** Every pod of the replica, those that leave too. */
  readonly pods: readonly KubernetesObject[];
  /** Observed ControllerRevisions by their hash. */
  readonly revisions: ReadonlyMap<string, KubernetesObject>;
  /** Minutes in which the revision must answer; a gang has to form in them too. */
  readonly deadlineMinutes: number;
  readonly now: Date;
}

export interface GangVerdict {
  /** Memory to write, by the hash of the revision. */
  readonly memory: ReadonlyMap<string, RevisionMemory>;
  /** Whether its pods are to go, so that others get their accelerators. */
  readonly isReleased: boolean;
  /** Why it has not formed; undefined until its time was over once. */
  readonly because?: string;
  readonly wakeInSeconds?: number;
}

/** Minutes in which every pod of a gang must have a node: the nodes are there before the gang is. */
const formationMinutes = 10;

/** Judges the gang that runs. A workload on one node, and one that is none yet, is no gang. */
export function judgeGang(question: GangQuestion): GangVerdict {
  const { workload, revisions } = question;
  const live = workload?.metadata.labels?.[label.revision];
  const forgotten = [...revisions]
    .filter(([hash]) => hash !== live)
    .map(([hash, object]) => [hash, forget(object)] as const);
  const memory = new Map(forgotten.filter(([, texts]) => Object.keys(texts).length > 0));
  const revision = live === undefined ? undefined : revisions.get(live);
  const size = readNumber(workload, ['spec', 'leaderWorkerTemplate', 'size']);
  if (live === undefined || revision === undefined || size === undefined) return { memory, isReleased: false };
  const { memory: own, ...verdict } = judgeLive(question, { live, size, revision });
  return { ...verdict, memory: Object.keys(own).length === 0 ? memory : new Map([...memory, [live, own]]) };
}

interface LiveGang {
  readonly live: string;
  readonly size: number;
  readonly revision: KubernetesObject;
}

type LiveVerdict = Omit<GangVerdict, 'memory'> & { readonly memory: RevisionMemory };

function judgeLive(question: GangQuestion, { live, size, revision }: LiveGang): LiveVerdict {
  const { pods } = question;
  const current = pods.filter((pod) => pod.metadata.labels?.[label.revision] === live && !isLeaving(pod));
  const placed = current.filter((pod) => !isUnscheduled(pod));
  // A leader that answers has its workers, whatever is seen of them.
  if (placed.length >= size || current.some(isReady)) return { memory: forget(revision), isReleased: false };
  const memory = readRevisionMemory(revision);
  if (memory.releasedAt !== undefined) return judgeReleased(question, memory);
  // What drains may take an hour, and its accelerators are held for good reason.
  if (pods.length > current.length) return { memory: {}, isReleased: false, ...saidBefore(memory) };
  return judgeForming(question, { memory, size, current, placed });
}

/** Its pods were told to go: it comes back when the last has gone. */
function judgeReleased(question: GangQuestion, memory: RevisionMemory): LiveVerdict {
  if (question.pods.length > 0) return { memory: {}, isReleased: true, ...saidBefore(memory) };
  const again = { formingSince: formatTimestamp(question.now), releasedAt: '' };
  return { memory: again, isReleased: false, ...saidBefore(memory), wakeInSeconds: minutesOf(question) * 60 };
}

interface FormingGang {
  readonly memory: RevisionMemory;
  readonly size: number;
  readonly current: readonly KubernetesObject[];
  readonly placed: readonly KubernetesObject[];
}

/** Its time starts, runs, or is over. */
function judgeForming(question: GangQuestion, { memory, size, current, placed }: FormingGang): LiveVerdict {
  const { now } = question;
  const minutes = minutesOf(question);
  const { formingSince } = memory;
  if (formingSince === undefined) {
    return { memory: { formingSince: formatTimestamp(now) }, isReleased: false, wakeInSeconds: minutes * 60 };
  }
  const millisLeft = minutes * minuteMillis - millisBetween(formingSince, now);
  if (millisLeft > 0)
    return { memory: {}, isReleased: false, ...saidBefore(memory), wakeInSeconds: Math.ceil(millisLeft / 1000) };
  const because = `${placed.length} of ${size} pods have a node after ${minutes} minutes${explain(current)}`;
  const holds = placed.length > 0 && placed.length < current.length;
  if (!holds) return { memory: {}, isReleased: false, because };
  return { memory: { releasedAt: formatTimestamp(now), notFormedBecause: because }, isReleased: true, because };
}

function minutesOf({ deadlineMinutes }: GangQuestion): number {
  return Math.min(formationMinutes, deadlineMinutes);
}

/** Why it did not form the last time, which stays true until it has. */
function saidBefore({ notFormedBecause }: RevisionMemory): Pick<GangVerdict, 'because'> {
  return notFormedBecause === undefined ? {} : { because: notFormedBecause };
}

function explain(current: readonly KubernetesObject[]): string {
  return `: ${findUnscheduled(current) ?? `${current.length} pods exist`}`;
}

/** What a revision forgets when its gang has formed, or is not the one that runs. */
function forget(revision: KubernetesObject): RevisionMemory {
  const { formingSince, releasedAt, notFormedBecause } = readRevisionMemory(revision);
  return {
    ...(formingSince === undefined ? {} : { formingSince: '' }),
    ...(releasedAt === undefined ? {} : { releasedAt: '' }),
    ...(notFormedBecause === undefined ? {} : { notFormedBecause: '' }),
  };
}

function isLeaving({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isReady(pod: KubernetesObject): boolean {
  const conditions = readList(pod, ['status', 'conditions']).filter(isRecord);
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
