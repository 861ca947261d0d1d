/**
 * Judges the revision that a claim asks for, and decides which one a replica runs: that one, or the last that was good
 * when it cannot be had. A revision that failed keeps its mark until the claim asks for another one, so that the same
 * claim applied again does not loop (L40). Time counts from the moment at which nothing else was left to run, since a
 * pod that drains may take an hour.
 * A revision that answers is good once it has proved itself, where revisions are tried (L6).
 * Refused: going back from a revision that was good once; what ails it then is no rollout.
 */
import type { Evidence } from '../evidence/read-job.ts';
import { label } from '../kubernetes/label.ts';
import { type KubernetesObject, readNumber, readPath } from '../kubernetes/object.ts';
import type { Readiness } from '../readiness/judge-readiness.ts';
import { formatTimestamp, millisBetween, minuteMillis } from '../units/duration.ts';
import { type Cause, findCause } from './find-cause.ts';
import { isHeldBack, type RevisionMemory, readRevisionMemory } from './revision-memory.ts';

export interface RevisionPolicy {
  /** Minutes from its start after which a revision that does not answer is given up. */
  readonly deadlineMinutes: number;
  /** Whether the last good revision is taken then, or the failed one is left to be looked at. */
  readonly onFailure: 'GoBack' | 'Stay';
}

export interface JudgeQuestion {
  /** Hash of the revision that the claim asks for. */
  readonly wanted: string;
  /** Observed ControllerRevisions by their hash. */
  readonly revisions: ReadonlyMap<string, KubernetesObject>;
  /** The observed workload, and what it proves. */
  readonly workload: KubernetesObject | undefined;
  readonly readiness: Readiness;
  readonly pods: readonly KubernetesObject[];
  /** Revisions that may run on the rung that has the nodes now. */
  readonly runnable: ReadonlySet<string>;
  readonly policy: RevisionPolicy;
  /** What the check of the wanted revision says; undefined where revisions are not tried. */
  readonly evidence?: Evidence | undefined;
  readonly now: Date;
}

export interface RevisionVerdict {
  /** Hash of the revision to run. */
  readonly target: string;
  /** Memory to write, by the hash of the revision. */
  readonly memory: ReadonlyMap<string, RevisionMemory>;
  /** Why the wanted revision does not run, or is overdue. */
  readonly failure?: { readonly because: string; readonly isGivenUp: boolean; readonly isUnproven?: true };
  /** Whether the wanted revision answers and has not proved itself yet. */
  readonly isProving?: true;
  readonly wakeInSeconds?: number;
}

/** Minutes for what may pass: a registry that is down for a moment. */
const soonMinutes = 10;

/** Judges the wanted revision and chooses the one to run. */
export function judgeRevision(question: JudgeQuestion): RevisionVerdict {
  const { wanted, revisions, workload } = question;
  const object = revisions.get(wanted);
  const forgiven = forgiveOthers(question);
  if (object === undefined) return { target: wanted, memory: toBeTried(question, forgiven) };
  const memory = readRevisionMemory(object);
  const good = findLastGood(question);
  const hasFailed = memory.failedAt !== undefined || isReplaced(question);
  const running = workload?.metadata.labels?.[label.revision];
  // What runs instead stays, although nothing says any more that it is good, or where its objects are stored (S1).
  const instead = good ?? (running === wanted ? undefined : running);
  if (hasFailed && instead !== undefined && question.policy.onFailure === 'GoBack') {
    const because = memory.failedBecause ?? 'It did not answer in time';
    return { target: instead, memory: forgiven, failure: { because, isGivenUp: true } };
  }
  if (running !== wanted) return { target: wanted, memory: toBeTried(question, forgiven) };
  return judgeLive({ question, memory, good, forgiven });
}

/** A revision that never answered has to prove itself before it gets requests. */
function toBeTried(
  { wanted, revisions, evidence }: JudgeQuestion,
  memory: ReadonlyMap<string, RevisionMemory>,
): ReadonlyMap<string, RevisionMemory> {
  const known = revisions.get(wanted);
  const { goodAt, conformance }: RevisionMemory = known === undefined ? {} : readRevisionMemory(known);
  if (evidence === undefined || goodAt !== undefined || conformance === 'Waiting') return memory;
  return withMemory(memory, wanted, { conformance: 'Waiting' });
}

/** Another revision says that it runs instead of the wanted one. */
function isReplaced({ wanted, revisions }: JudgeQuestion): boolean {
  return [...revisions.values()].some((object) => readRevisionMemory(object).insteadOf === wanted);
}

/** A claim that asks for another revision gives those that never answered a new chance, should it come back to them. */
function forgiveOthers({ wanted, revisions }: JudgeQuestion): ReadonlyMap<string, RevisionMemory> {
  const forgotten = [...revisions].map(([hash, object]) => [hash, forget(hash, object, wanted)] as const);
  return new Map(forgotten.filter(([, memory]) => Object.keys(memory).length > 0));
}

/** What a revision forgets: its failure, unless it is wanted, and instead of which it ran, unless that is wanted. */
function forget(hash: string, revision: KubernetesObject, wanted: string): RevisionMemory {
  const { startedAt, goodAt, failedAt, insteadOf, conformance } = readRevisionMemory(revision);
  const hasFailed = failedAt !== undefined || (startedAt !== undefined && goodAt === undefined);
  return {
    ...(hasFailed && hash !== wanted ? { startedAt: '', failedAt: '', failedBecause: '' } : {}),
    ...(conformance === 'Failed' && hash !== wanted ? { conformance: '' as const } : {}),
    ...(insteadOf === undefined || insteadOf === wanted ? {} : { insteadOf: '' }),
  };
}

/** The newest other revision that answers or once did, did not fail since, and can run on the nodes that are there. */
function findLastGood({ wanted, revisions, runnable, workload, readiness }: JudgeQuestion): string | undefined {
  const answering = readiness === 'Ready' ? workload?.metadata.labels?.[label.revision] : undefined;
  const good = [...revisions].filter(([hash, object]) => {
    const memory = readRevisionMemory(object);
    const wasGood = memory.goodAt !== undefined && memory.failedAt === undefined;
    const isGood = wasGood || (hash === answering && !isHeldBack(memory));
    return hash !== wanted && runnable.has(hash) && isGood;
  });
  const numberOf = (object: KubernetesObject) => readNumber(object, ['revision']) ?? 0;
  return good.sort(([, left], [, right]) => numberOf(right) - numberOf(left))[0]?.[0];
}

interface LiveRevision {
  readonly question: JudgeQuestion;
  readonly memory: RevisionMemory;
  readonly good: string | undefined;
  readonly forgiven: ReadonlyMap<string, RevisionMemory>;
}

/** The wanted revision is what the workload says: it answers, it is on its way, or its time is over. */
function judgeLive(live: LiveRevision): RevisionVerdict {
  const { question, memory, forgiven } = live;
  const { wanted, readiness, pods } = question;
  if (readiness === 'Ready') return markGood(live);
  const isDraining = pods.some((pod) => pod.metadata.labels?.[label.revision] !== wanted);
  if (readiness === 'Unknown' || isDraining || memory.goodAt !== undefined) return { target: wanted, memory: forgiven };
  return judgeWaiting(live);
}

/** It answers: it is good, or it has to prove itself first, where it never was good before. */
function markGood(live: LiveRevision): RevisionVerdict {
  const { question, memory, forgiven } = live;
  const { wanted, evidence } = question;
  if (memory.goodAt !== undefined && memory.failedAt === undefined) return { target: wanted, memory: forgiven };
  switch (evidence?.state) {
    case 'Running':
      return { target: wanted, memory: withMemory(forgiven, wanted, { conformance: 'Waiting' }), isProving: true };
    case 'Failed':
      return giveUp(live, evidence.because, { conformance: 'Failed', failedBecause: evidence.because });
    case 'Passed':
    case 'NotRun':
      return { target: wanted, memory: withMemory(forgiven, wanted, goodMemory(live, evidence.state)) };
    case undefined:
      return { target: wanted, memory: withMemory(forgiven, wanted, goodMemory(live)) };
    default:
      return evidence satisfies never;
  }
}

/** What a revision remembers that is good; one that should have been tried and is not any more says so. */
function goodMemory({ question, memory }: LiveRevision, state?: 'Passed' | 'NotRun'): RevisionMemory {
  const conformance = state ?? (isHeldBack(memory) ? 'NotRun' : undefined);
  const proof = conformance === undefined ? {} : { conformance };
  return { goodAt: formatTimestamp(question.now), ...unmarked(memory), ...proof };
}

/** It has not answered yet: its time starts, runs, or is over. */
function judgeWaiting(live: LiveRevision): RevisionVerdict {
  const { question, memory, forgiven } = live;
  const { wanted, pods, policy, workload, now } = question;
  if (memory.startedAt === undefined) {
    const started = withMemory(forgiven, wanted, { startedAt: formatTimestamp(now) });
    return { target: wanted, memory: started, wakeInSeconds: policy.deadlineMinutes * 60 };
  }
  const cause = findCause(pods, sizeOf(workload));
  const millisLeft = minutesFor(cause, policy) * minuteMillis - millisBetween(memory.startedAt, now);
  if (millisLeft > 0) return { target: wanted, memory: forgiven, wakeInSeconds: Math.ceil(millisLeft / 1000) };
  return giveUp(live, cause.because);
}

/** The last good revision runs again, unless there is none, or the author wants to look at the one that failed. */
function giveUp(
  { question, memory, good, forgiven }: LiveRevision,
  because: string,
  proof: RevisionMemory = {},
): RevisionVerdict {
  const { wanted, policy, now } = question;
  const unproven = proof.conformance === 'Failed' ? { isUnproven: true as const } : {};
  if (good === undefined || policy.onFailure === 'Stay') {
    const kept = Object.keys(proof).length === 0 ? forgiven : withMemory(forgiven, wanted, proof);
    return { target: wanted, memory: kept, failure: { because, isGivenUp: false, ...unproven } };
  }
  const failed = { ...proof, failedAt: memory.failedAt ?? formatTimestamp(now), failedBecause: because };
  const marked = withMemory(withMemory(forgiven, wanted, failed), good, { insteadOf: wanted });
  return { target: good, memory: marked, failure: { because, isGivenUp: true, ...unproven } };
}

function withMemory(
  memory: ReadonlyMap<string, RevisionMemory>,
  revision: string,
  added: RevisionMemory,
): ReadonlyMap<string, RevisionMemory> {
  return new Map([...memory, [revision, { ...memory.get(revision), ...added }]]);
}

/** A mark of failure that is no longer true. */
function unmarked({ failedAt }: RevisionMemory): RevisionMemory {
  return failedAt === undefined ? {} : { failedAt: '', failedBecause: '' };
}

function minutesFor({ waitFor }: Cause, { deadlineMinutes }: RevisionPolicy): number {
  if (waitFor === 'Never') return 0;
  return waitFor === 'Soon' ? Math.min(soonMinutes, deadlineMinutes) : deadlineMinutes;
}

/** Pods that the workload makes: the size of a gang, or the replicas of a Deployment. */
function sizeOf(workload: KubernetesObject | undefined): number {
  const spec = readPath(workload, ['spec']);
  return readNumber(spec, ['leaderWorkerTemplate', 'size']) ?? readNumber(spec, ['replicas']) ?? 1;
}
