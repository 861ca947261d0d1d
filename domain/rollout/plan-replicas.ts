/**
 * Decides the next step of a ModelDeployment from what is observed: which replicas exist, which template each has,
 * which one may be edited now. No step counter is stored, so a lost status or a restart changes nothing. One replica is
 * edited at a time, only while every other one is ready and runs what it was given, and once no service sends to it any
 * more; it serves again when its engine runs the new template. A revision that failed on one replica reaches no other.
 * Scaling down drains first and drops in a later pass.
 * Refused: editing a replica that serves and letting its pod drain alone: what the gateway sends in the meantime fails.
 * Not done here: moving between clusters, bake times.
 */
import type { Readiness } from '../readiness/judge-readiness.ts';

export interface ReplicaView {
  readonly index: number;
  /** Hash of the author's fields that its template was written from. */
  readonly authorHash: string | undefined;
  /** Whether its engine answers; Unknown holds the replica as it is, since it may well serve (S5). */
  readonly readiness: Readiness;
  /** Whether it runs the template that it has: proven live, gone back from it, or neither proven yet. */
  readonly rollout: 'Live' | 'Failed' | 'Pending';
  /** What it is told now: to serve, to get no new requests, or to have no endpoint either. */
  readonly traffic: 'Serve' | 'Drain' | 'Detach';
  readonly drain: Drain;
}

/**
 * How far a replica is from getting no requests: `Done` when every service says so, `LastOne` while it is the only one
 * left with weight, `Pending` while any service still sends, or has not said, and `Overdue` where none says that it
 * sends, one has not said for the time of the longest stream, and nobody knows whether it ever will.
 */
export type Drain = 'Pending' | 'Overdue' | 'LastOne' | 'Done';

export interface ReplicasQuestion {
  readonly wanted: number;
  readonly authorHash: string;
  /** False while no cluster can hold a new replica, or the claim is refused. */
  readonly mayChange: boolean;
  readonly replicas: readonly ReplicaView[];
}

/** What to do with one index. */
export type ReplicaStep = {
  readonly index: number;
  readonly action: 'Create' | 'Edit' | 'Keep' | 'Drain' | 'Detach' | 'Drop';
  readonly why: string;
  /** Index whose template a new replica copies, since the claim's failed; unset: the claim's own. */
  readonly copyOf?: number;
};

/** The next step for every index that exists or should. */
export function planReplicas(question: ReplicasQuestion): readonly ReplicaStep[] {
  const { wanted, replicas, mayChange } = question;
  const byIndex = new Map(replicas.map((replica) => [replica.index, replica]));
  const failed = findFailed(question);
  const editing = mayChange && failed === undefined ? chooseEdit(question) : undefined;
  const steps: ReplicaStep[] = [];
  for (let index = 0; index < wanted; index += 1) {
    const replica = byIndex.get(index);
    if (replica !== undefined) steps.push(keepOrEdit(replica, editing, question));
    else if (mayChange) steps.push(create(index, question, failed));
  }
  for (const replica of replicas) if (replica.index >= wanted) steps.push(release(replica));
  return steps.sort((left, right) => left.index - right.index);
}

/** A replica on which the template of the claim failed. */
function findFailed({ replicas, authorHash }: ReplicasQuestion): ReplicaView | undefined {
  return lowest(replicas.filter((replica) => replica.authorHash === authorHash && replica.rollout === 'Failed'));
}

function lowest(replicas: readonly ReplicaView[]): ReplicaView | undefined {
  return [...replicas].sort((left, right) => left.index - right.index)[0];
}

/** A new replica takes the template of the claim, or one that is known to run where that failed elsewhere. */
function create(
  index: number,
  { replicas, authorHash }: ReplicasQuestion,
  failed: ReplicaView | undefined,
): ReplicaStep {
  const good = lowest(replicas.filter((replica) => replica.authorHash !== authorHash && replica.readiness === 'Ready'));
  if (failed === undefined || good === undefined) return { index, action: 'Create', why: 'asked for by spec.replicas' };
  const why = `asked for by spec.replicas; the template of the claim failed on ${failed.index}, so that it copies ${good.index}`;
  return { index, action: 'Create', copyOf: good.index, why };
}

/**
 * The one replica that may get the new template: one that proves that it is broken at once, else the lowest while all
 * others are ready.
 */
function chooseEdit({ replicas, wanted, authorHash }: ReplicasQuestion): ReplicaView | undefined {
  const kept = replicas.filter((replica) => replica.index < wanted);
  const outdated = kept
    .filter((replica) => replica.authorHash !== authorHash)
    .sort((left, right) => left.index - right.index);
  const broken = outdated.find((replica) => replica.readiness === 'NotReady');
  if (broken !== undefined) return broken;
  // A new index proves the template before a ready replica is taken down for it (L40).
  const isSettled = kept.every(
    (replica) => replica.readiness === 'Ready' && (replica.authorHash !== authorHash || replica.rollout === 'Live'),
  );
  // One that still answers while it is let go: two would be drained at once.
  const isLettingGo = replicas.some((replica) => replica.index >= wanted && replica.readiness === 'Ready');
  return kept.length === wanted && isSettled && !isLettingGo ? outdated[0] : undefined;
}

function keepOrEdit(
  replica: ReplicaView,
  editing: ReplicaView | undefined,
  { authorHash }: ReplicasQuestion,
): ReplicaStep {
  const { index, traffic, readiness, rollout } = replica;
  if (replica === editing) return editDrained(replica);
  // It was drained for its new template: requests come again when its engine runs that, or what it went back to.
  if (traffic === 'Drain' && (readiness !== 'Ready' || rollout === 'Pending')) {
    return { index, action: 'Drain', why: 'gets no requests until its engine runs the template that it has' };
  }
  if (replica.authorHash === authorHash) return { index, action: 'Keep', why: 'has the template of the claim' };
  return { index, action: 'Keep', why: 'keeps its template until every other replica is ready' };
}

/** A replica that answers is edited once no service sends to it, unless it is the last one that could answer. */
function editDrained({ index, readiness, drain }: ReplicaView): ReplicaStep {
  if (readiness === 'Ready' && drain === 'Pending') {
    return { index, action: 'Drain', why: 'draining before it takes the template of the claim' };
  }
  const waited = drain === 'Overdue' ? `; ${silence}` : '';
  return { index, action: 'Edit', why: `takes the template of the claim${waited}` };
}

/** Why a replica is taken for drained although a service has not said so. */
const silence = 'no service has said for the time of the longest stream whether it sends requests';

/** Drains, detaches it where it is the last one, and lets it go once nothing is sent to it: each in a pass of its own. */
function release({ index, traffic, drain }: ReplicaView): ReplicaStep {
  if (traffic !== 'Serve' && drain === 'Done') {
    return { index, action: 'Drop', why: 'drained; spec.replicas does not ask for it' };
  }
  if (traffic !== 'Serve' && drain === 'Overdue') {
    return { index, action: 'Drop', why: `${silence}; spec.replicas does not ask for it` };
  }
  if (traffic === 'Detach' || (traffic === 'Drain' && drain === 'LastOne')) {
    return {
      index,
      action: 'Detach',
      why: 'the last one, so its Service selects no pod; spec.replicas does not ask for it',
    };
  }
  return { index, action: 'Drain', why: 'draining; spec.replicas does not ask for it' };
}
