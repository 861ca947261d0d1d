import { annotation, apiVersion, label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { restoreRendered } from '../../domain/kubernetes/owned-fields.ts';
import { remember } from '../../domain/kubernetes/remember.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import type { ReplicaStep } from '../../domain/rollout/plan-replicas.ts';
import { conditionStatus } from '../../domain/rollout/read-replica.ts';
import { formatTimestamp } from '../../domain/units/duration.ts';
import type { Composed } from '../compose.ts';
import type { Assignment } from '../hand-offs.ts';

export interface ReplicaToRender {
  readonly xr: KubernetesObject;
  readonly step: ReplicaStep;
  readonly assignment: Assignment;
  readonly authorHash: string;
  readonly now: Date;
  readonly existing: KubernetesObject | undefined;
  /** The replica whose template a new one copies; undefined: the template of the claim. */
  readonly source?: KubernetesObject | undefined;
}

/** What a replica whose engine does not answer waits for, by its condition Placed. */
const waits = {
  True: 'its engine does not answer yet',
  False: 'its nodes are not all usable yet',
  Unknown: 'it has not said yet whether it has its nodes',
} as const;

/** The ModelReplica of one index; undefined where it can be neither created nor kept. */
export function renderReplica(question: ReplicaToRender): KubernetesObject | undefined {
  const { existing, step } = question;
  if (existing === undefined)
    return question.assignment.clusterName === undefined ? undefined : createReplica(question);
  const rendered = restoreRendered(existing);
  const spec = isRecord(rendered.spec) ? rendered.spec : {};
  const traffic = trafficOf(question.step, readPath(spec, ['traffic']));
  const { usdPerHour: _share, rollout: _rollout, conformance: _conformance, ...lasting } = spec;
  const kept = withDrainTime({ ...rendered, spec: { ...lasting, ...livePolicy(question), traffic } }, question.now);
  return step.action === 'Edit' ? withTemplate(kept, question) : kept;
}

function createReplica(question: ReplicaToRender): KubernetesObject {
  const { xr, step, assignment } = question;
  const deploymentName = xr.metadata.name ?? '';
  const created: KubernetesObject = {
    apiVersion,
    kind: 'ModelReplica',
    metadata: {
      name: boundedName(`${deploymentName}-${step.index}`),
      labels: { [label.managedBy]: 'modelberth', [label.deployment]: boundedName(deploymentName) },
    },
    spec: {
      deploymentName,
      index: step.index,
      clusterName: assignment.clusterName,
      ...livePolicy(question),
      traffic: 'Serve',
    },
  };
  return question.source === undefined ? withTemplate(created, question) : copyTemplate(created, question.source);
}

/** The replica with the template of another one, and the hash that says so. */
function copyTemplate(replica: KubernetesObject, source: KubernetesObject): KubernetesObject {
  const { metadata } = replica;
  const hash = source.metadata.annotations?.[annotation.authorHash] ?? '';
  return {
    ...replica,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [annotation.authorHash]: hash } },
    spec: { ...(isRecord(replica.spec) ? replica.spec : {}), template: readPath(source, ['spec', 'template']) },
  };
}

/** Remembers since when a replica is to get no requests; an empty text forgets, since an annotation is never removed. */
function withDrainTime(replica: KubernetesObject, now: Date): KubernetesObject {
  const known = replica.metadata.annotations?.[annotation.drainAskedAt] ?? '';
  const isServing = readPath(replica, ['spec', 'traffic']) === 'Serve';
  if (isServing === (known === '')) return replica;
  return remember(replica, { [annotation.drainAskedAt]: isServing ? '' : formatTimestamp(now) });
}

/** An edit leaves a drained replica drained: its engine is about to stop. */
function trafficOf({ action }: ReplicaStep, former: unknown): 'Serve' | 'Drain' | 'Detach' {
  if (action === 'Drain' || action === 'Detach') return action;
  return action === 'Edit' && former === 'Drain' ? 'Drain' : 'Serve';
}

/** What applies to a running replica at once: how capacity is asked for and what it may cost. It restarts nothing. */
function livePolicy({ xr, assignment }: ReplicaToRender): Record<string, unknown> {
  const placement = readPath(xr, ['spec', 'placement']);
  const { clusterName: _clusterName, ...policy } = isRecord(placement) ? placement : {};
  const { shareUsdPerHour } = assignment;
  const { deadlineMinutes, onFailure } = rolloutOf(xr.spec);
  return {
    placement: policy,
    ...stated({ rollout: stated({ deadlineMinutes, onFailure }) }),
    ...stated({ conformance: readPath(xr, ['spec', 'conformance']), usdPerHour: shareUsdPerHour }),
  };
}

/** The author's template: what a new revision is made from. */
export function templateOf(spec: unknown): Record<string, unknown> {
  const part = (field: string) => readPath(spec, [field]);
  const { settleSeconds, longestStreamSeconds } = rolloutOf(spec);
  const drain = stated({ settleSeconds, longestStreamSeconds });
  return { model: part('model'), load: part('load'), engine: part('engine'), ...stated({ drain, pod: part('pod') }) };
}

function rolloutOf(spec: unknown): Readonly<Record<string, unknown>> {
  const rollout = readPath(spec, ['rollout']);
  return isRecord(rollout) ? rollout : {};
}

/** The fields that are stated; one that is an object without any is not. */
function stated(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isStated = (value: unknown) => value !== undefined && !(isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isStated(value)));
}

/** The replica with the author's template of now, and the hash by which a later pass knows that it has it. */
function withTemplate(replica: KubernetesObject, { xr, authorHash }: ReplicaToRender): KubernetesObject {
  const spec = isRecord(replica.spec) ? replica.spec : {};
  const { metadata } = replica;
  return {
    ...replica,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [annotation.authorHash]: authorHash } },
    spec: { ...spec, template: templateOf(xr.spec) },
  };
}

/** The replica with what a person asks of it first. */
export function toComposed(
  object: KubernetesObject,
  existing: KubernetesObject | undefined,
  step: ReplicaStep,
): Composed {
  if (existing === undefined) return { object, ready: false, state: 'Created', why: step.why };
  if (step.action === 'Drain' || step.action === 'Detach')
    return { object, ready: true, state: 'Draining', why: step.why };
  const ready = conditionStatus(existing, 'EngineReady') === 'True';
  const placed = waits[conditionStatus(existing, 'Placed')];
  return {
    object,
    ready,
    state: ready ? 'Ready' : 'Waiting',
    why: ready ? `its engine answers; ${step.why}` : `${placed}; ${step.why}`,
  };
}
