import { isRecord, type KubernetesObject, readList, readString } from '../../domain/kubernetes/object.ts';
import { millisBetween, minuteMillis } from '../../domain/units/duration.ts';

/** One row of the table. */
export interface Row {
  readonly resource: string;
  readonly kind: string;
  readonly state: string;
  readonly why: string;
}

/** Reasons of a False condition that mean waiting and not refusal. */
const waitingReasons = new Set([
  'WaitingForNodes',
  'WaitingForGrant',
  'PoolFull',
  'PoolEmpty',
  'WaitingForReplicas',
  'WaitingForPolicies',
  'LadderExhausted',
  'NotPlaced',
  'RollingOut',
  'EngineStarting',
  'NoEndpoint',
  'RouteNotAccepted',
  'Incomplete',
  'UsageNotActive',
  'NotProtected',
]);
/** Reasons of an Unknown condition that only say that nothing was observed yet. */
const unknownReasons = new Set(['NotObserved', 'NoService', 'NotPlaced', 'WaitingForPolicies']);

/** The rows of `status.resources`, with durations up to now. */
export function rowsOf(xr: KubernetesObject, now: Date): readonly Row[] {
  return readList(xr, ['status', 'resources'])
    .filter(isRecord)
    .map((row) => ({
      resource: String(row.name ?? ''),
      kind: String(row.kind ?? ''),
      state: String(row.state ?? ''),
      why: `${String(row.why ?? '')}${sinceOf(row.since, now)}`,
    }));
}

function sinceOf(since: unknown, now: Date): string {
  if (typeof since !== 'string') return '';
  const minutes = Math.floor(millisBetween(since, now) / minuteMillis);
  return minutes > 0 ? ` after ${minutes} min` : '';
}

/** What is wrong with an XR: each condition that is a refusal, or could not be judged for want of something. */
export function problemsOf(xr: KubernetesObject): readonly string[] {
  const problems = readList(xr, ['status', 'conditions'])
    .filter(isRecord)
    .filter(({ type, status, reason }) => {
      if (type === 'Ready' || type === 'Synced' || type === 'EveryFieldActs' || status === 'True') return false;
      return !(status === 'False' ? waitingReasons : unknownReasons).has(String(reason));
    });
  // A missing hand-off follows from what stopped the step before: the cause alone is the problem.
  const causes = problems.filter(({ reason }) => reason !== 'HandOffMissing');
  return (causes.length === 0 ? problems : causes).map(
    ({ type, status, reason, message }) => `${String(type)}=${String(status)} ${String(reason)}: ${String(message)}`,
  );
}

/** Fields of an XR that do not act yet: worth a look, and no refusal. */
export function inactiveOf(xr: KubernetesObject): readonly string[] {
  return readList(xr, ['status', 'conditions'])
    .filter(isRecord)
    .filter(({ type, status }) => type === 'EveryFieldActs' && status === 'False')
    .map(({ reason, message }) => `${String(reason)}: ${String(message)}`);
}

/** What happens next to an XR, if it says. */
export function nextOf(xr: KubernetesObject): readonly string[] {
  const next = readString(xr, ['status', 'next']);
  return next === undefined ? [] : [`Next: ${next}`];
}
