import { isRecord, type KubernetesObject, readList, readNumber, readString } from '../../domain/kubernetes/object.ts';
import { formatTimestamp, isTimestamp, millisBetween, minuteMillis } from '../../domain/units/duration.ts';

/** One rung as the status of its replica shows it. */
export interface ExplainedRung {
  readonly rung: string;
  readonly state: string;
  readonly nodes: string;
  readonly usdPerHour?: number;
  /** When it was asked for nodes (RFC 3339). */
  readonly askedAt?: string;
  /** What the provider last said; it decides nothing (L11). */
  readonly evidence?: string;
}

export interface ExplainedLadder {
  readonly replica: string;
  readonly cluster: string;
  readonly rungs: readonly ExplainedRung[];
  /** What happens next, or why nothing does. */
  readonly next: string;
  /** When that is due (RFC 3339), where time decides it. */
  readonly nextAt?: string;
  readonly nextInMinutes?: number;
}

/** What the ladder of one replica does, what comes next and when. */
export function explainLadder(replica: KubernetesObject, now: Date): ExplainedLadder {
  const rungs = readList(replica, ['status', 'ladder']).filter(isRecord).map(describeRung);
  const next = readString(replica, ['status', 'next']);
  const moment = next === undefined ? undefined : dueAt(replica, rungs);
  // Past it, a place of the hedge or room in the budget is what the next rung waits for, and no moment is known.
  const due = moment !== undefined && moment > now ? moment : undefined;
  return {
    replica: replica.metadata.name ?? '',
    cluster: readString(replica, ['spec', 'clusterName']) ?? '',
    rungs,
    next: next ?? placedMessage(replica),
    ...(due === undefined ? {} : { nextAt: formatTimestamp(due), nextInMinutes: minutesUntil(due, now) }),
  };
}

function describeRung(rung: Record<string, unknown>): ExplainedRung {
  const usdPerHour = readNumber(rung, ['usdPerHour']);
  const askedAt = readString(rung, ['askedAt']);
  const evidence = readString(rung, ['evidence']);
  return {
    rung: readString(rung, ['rung']) ?? '',
    state: readString(rung, ['state']) ?? '',
    nodes: readString(rung, ['nodes']) ?? '',
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
    ...(askedAt === undefined ? {} : { askedAt }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

/** The latest asking plus the patience of the replica; a rung that is asked in this very pass has its moment in its row. */
function dueAt(replica: KubernetesObject, rungs: readonly ExplainedRung[]): Date | undefined {
  const patience = readNumber(replica, ['spec', 'placement', 'patienceMinutes']);
  const rows = readList(replica, ['status', 'resources']).filter((row) => readString(row, ['kind']) === 'NodeGroup');
  const asked = rows.filter((row) => readString(row, ['state']) === 'Asked');
  const moments = [...rungs.map((rung) => rung.askedAt), ...asked.map((row) => readString(row, ['since']))];
  const latest = moments.filter(isTimestamp).sort().at(-1);
  if (latest === undefined || patience === undefined) return undefined;
  return new Date(Date.parse(latest) + patience * minuteMillis);
}

function minutesUntil(due: Date, now: Date): number {
  return Math.ceil(-millisBetween(formatTimestamp(due), now) / minuteMillis);
}

/** Without a next step the condition Placed says why. */
function placedMessage(replica: KubernetesObject): string {
  const conditions = readList(replica, ['status', 'conditions']).filter(isRecord);
  const placed = conditions.find((condition) => condition.type === 'Placed');
  const message = readString(placed, ['message']);
  if (message === undefined) return 'nothing is decided yet';
  return placed?.status === 'True'
    ? `it stays there: ${message}; a rung that serves is left only when its nodes are lost`
    : `no other rung may be asked: ${message}`;
}
