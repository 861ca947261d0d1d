import type { Condition } from '../kubernetes/condition.ts';
import { annotation } from '../kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readNumber, readPath, readString } from '../kubernetes/object.ts';
import { isTimestamp, millisBetween } from '../units/duration.ts';
import { Drain, gracePeriodSeconds } from '../workload/drain.ts';
import type { ReplicaView, Drain as RolloutDrain } from './plan-replicas.ts';

/** A ModelReplica as the planner sees it; services are those that route to its deployment. */
export function readReplica(replica: KubernetesObject, services: readonly KubernetesObject[], now: Date): ReplicaView {
  const traffic = readString(replica, ['spec', 'traffic']);
  return {
    index: readNumber(replica, ['spec', 'index']) ?? 0,
    authorHash: replica.metadata.annotations?.[annotation.authorHash],
    readiness: readinessOf[conditionStatus(replica, 'EngineReady')],
    rollout: rolloutOf(replica),
    traffic: traffic === 'Drain' || traffic === 'Detach' ? traffic : 'Serve',
    drain: leastDrained(
      services.map((service) => drainOf(service, replica)),
      isOverdue(replica, now),
    ),
  };
}

/** Whether it runs the template that it has; what it said of an earlier template proves nothing. */
function rolloutOf(replica: KubernetesObject): ReplicaView['rollout'] {
  const given = replica.metadata.annotations?.[annotation.authorHash];
  if (given === undefined || readString(replica, ['status', 'revision', 'authorHash']) !== given) return 'Pending';
  if (conditionStatus(replica, 'RolledOut') === 'True') return 'Live';
  return hasFailed(replica) ? 'Failed' : 'Pending';
}

/** Tells whether a replica has given up the template that it has, and runs the last good one. */
export function hasFailed(replica: KubernetesObject): boolean {
  const conditions = readList(replica, ['status', 'conditions']).filter(isRecord);
  return conditions.some(
    ({ type, status, reason }) => type === 'RolledOut' && status === 'False' && reason === 'RevisionFailed',
  );
}

/** How far the service that still sends most has gone; without a service nothing sends anything. */
function leastDrained(drains: readonly ServiceDrain[], isLate: boolean): RolloutDrain {
  if (drains.includes('Pending')) return 'Pending';
  if (drains.includes('Silent')) return isLate ? 'Overdue' : 'Pending';
  return drains.includes('LastOne') ? 'LastOne' : 'Done';
}

/** Whether a pod that was told to stop when the replica was told to drain would have been stopped by now. */
function isOverdue({ metadata, spec }: KubernetesObject, now: Date): boolean {
  const askedAt = metadata.annotations?.[annotation.drainAskedAt];
  const settings = Drain.safeParse(readPath(spec, ['template', 'drain']));
  const seconds = gracePeriodSeconds(settings.success ? settings.data : undefined);
  return isTimestamp(askedAt) && millisBetween(askedAt, now) >= seconds * 1000;
}

/** `Silent`: the service has said nothing of the replica as it is now. */
type ServiceDrain = Exclude<RolloutDrain, 'Overdue'> | 'Silent';

/**
 * What a service proves about a replica. It keeps weight 1 on its last replica, because a route without any weight
 * answers 500; that one is done once its own Service selects no pod and callers get 503.
 */
function drainOf(service: KubernetesObject, replica: KubernetesObject): ServiceDrain {
  const rows = readList(service, ['status', 'endpoints']).filter(isRecord).filter(takesAnyRequest);
  const own = rows.find((row) => row.replica === replica.metadata.name);
  const weight = readNumber(own, ['weight']);
  if (!hasReadableRoutes(service)) return 'Pending';
  if (own === undefined || weight === undefined || isOutdated(own, replica)) return 'Silent';
  if (weight === 0) return 'Done';
  const isLast = rows.every((row) => row === own || readNumber(row, ['weight']) === 0);
  if (!isLast) return 'Pending';
  const isDetached = readString(replica, ['spec', 'traffic']) === 'Detach';
  return isDetached && own.routable === false ? 'Done' : 'LastOne';
}

/** An external endpoint that speaks Anthropic cannot take the requests of OpenAI clients from a replica. */
function takesAnyRequest(row: Readonly<Record<string, unknown>>): boolean {
  return row.schema !== 'Anthropic';
}

/** A row that was decided from an older replica says nothing about its present traffic. */
function isOutdated(row: Readonly<Record<string, unknown>>, { metadata }: KubernetesObject): boolean {
  const seen = readNumber(row, ['generation']);
  return seen !== undefined && metadata.generation !== undefined && seen < metadata.generation;
}

/** What an object of ours says in a condition; Unknown after a fatal, and before it has said anything. */
export function conditionStatus(object: KubernetesObject, type: string): Condition['status'] {
  const conditions = readList(object, ['status', 'conditions']).filter(isRecord);
  const status = conditions.find((condition) => condition.type === type)?.status;
  return status === 'True' || status === 'False' ? status : 'Unknown';
}

const readinessOf = { True: 'Ready', False: 'NotReady', Unknown: 'Unknown' } as const;

function hasReadableRoutes(service: KubernetesObject): boolean {
  const routes = readPath(service, ['spec', 'routes']);
  return Array.isArray(routes) && routes.every(isReadableRoute);
}

function isReadableRoute(route: unknown): boolean {
  return readPath(route, ['type']) === 'ExternalEndpoint' || typeof readPath(route, ['deploymentName']) === 'string';
}

/** Tells whether a service routes to a deployment; one whose routes cannot be read may. */
export function mayRouteTo(service: KubernetesObject, deployment: string): boolean {
  const routes = readList(service, ['spec', 'routes']);
  return !hasReadableRoutes(service) || routes.some((route) => readPath(route, ['deploymentName']) === deployment);
}
