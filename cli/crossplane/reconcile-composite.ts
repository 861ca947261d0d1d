/**
 * One reconcile of an XR as core would do it, without a cluster: pipeline, names and owners of what is composed,
 * deletions, conditions (crossplane v2.4.0 composition_functions.go and reconciler.go, read 2026-12-01). The golden
 * cases compare it with the real binary. Not done: server-side apply, admission, and the circuit breaker.
 */
import { Ready, type Resource } from '@crossplane-org/function-sdk-typescript';
import { compositeLabel, compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isKubernetesObject, isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import type { CallFunction } from './function-client.ts';
import type { RenderEvent, RenderOutput } from './render-output.ts';
import { type PipelineResult, runPipeline } from './run-pipeline.ts';
import type { Fetch } from './run-step.ts';
import { compareText } from './world.ts';

export interface ReconcileQuestion {
  /** The XR with schema defaults applied. */
  readonly xr: KubernetesObject;
  readonly composition: KubernetesObject;
  /** Observed composed resources, each with its key as annotation. */
  readonly observed: readonly KubernetesObject[];
  readonly call: CallFunction;
  readonly fetch: Fetch;
}

/** Reconciles an XR once. Throws `PipelineFatal` when a step ends the pipeline. */
export async function reconcileComposite(question: ReconcileQuestion): Promise<RenderOutput> {
  const observed = new Map(question.observed.map((object) => [keyOf(object), object]));
  const result = await runPipeline({ ...question, observed });
  const desired = Object.entries(result.desired.resources).sort(([left], [right]) => compareText(left, right));
  const composed = desired.map(([key, resource]) => toComposed(question.xr, key, resource, observed.get(key)));
  const unready = desired.filter(([, resource]) => resource.ready !== Ready.READY_TRUE).map(([key]) => key);
  return {
    composite: withStatus(question.xr, result, unready),
    composed,
    deleted: [...observed].filter(([key]) => !(key in result.desired.resources)).map(([, object]) => object),
    events: [...result.events, ...unready.map(notReady)],
    requiredResources: result.requiredResources,
    requiredSchemas: result.requiredSchemas,
  };
}

/** The key under which an observed object was composed. */
export function keyOf(object: KubernetesObject): string {
  return object.metadata.annotations?.[compositionResourceName] ?? '';
}

/** An object with the metadata that core adds: owner, key, and the name that is observed already. */
function toComposed(
  xr: KubernetesObject,
  key: string,
  resource: Resource,
  observed: KubernetesObject | undefined,
): KubernetesObject {
  const object = resource.resource;
  if (!isKubernetesObject(object)) throw new Error(`Cannot apply composed resource "${key}": it is no object`);
  const { metadata } = object;
  const name = observed?.metadata.name ?? metadata.name;
  const namespace = xr.metadata.namespace ?? observed?.metadata.namespace ?? metadata.namespace;
  const owner = { apiVersion: xr.apiVersion, kind: xr.kind, name: xr.metadata.name ?? '', uid: uidOf(xr) };
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...metadata.labels, [compositeLabel]: xr.metadata.name ?? '' },
      annotations: { ...metadata.annotations, [compositionResourceName]: key },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
  };
}

/** The uid of an XR; a readable stand-in where none was given. */
export function uidOf(xr: KubernetesObject): string {
  return xr.metadata.uid ?? `uid-${xr.kind}-${xr.metadata.namespace ?? ''}-${xr.metadata.name ?? ''}`.toLowerCase();
}

function withStatus(xr: KubernetesObject, result: PipelineResult, unready: readonly string[]): KubernetesObject {
  const written = result.desired.composite?.resource?.status;
  const before = readList(xr, ['status', 'conditions']).filter(isRecord);
  const conditions = new Map(before.map((condition) => [condition.type, condition]));
  for (const condition of [...result.conditions, ...systemConditions(result, unready)]) {
    conditions.set(condition.type, condition);
  }
  return { ...xr, status: { ...(isRecord(written) ? written : {}), conditions: [...conditions.values()] } };
}

/** Resources that core names in a message before it counts the rest. */
const named = 3;

function systemConditions(
  result: PipelineResult,
  unready: readonly string[],
): readonly Readonly<Record<string, unknown>>[] {
  const synced = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
  const explicit = result.desired.composite?.ready ?? Ready.READY_UNSPECIFIED;
  if (explicit === Ready.READY_TRUE) return [synced, { type: 'Ready', status: 'True', reason: 'Available' }];
  if (explicit === Ready.READY_FALSE) return [synced, { type: 'Ready', status: 'False', reason: 'Creating' }];
  if (unready.length === 0) return [synced, { type: 'Ready', status: 'True', reason: 'Available' }];
  const listed = [...unready].sort();
  const rest = listed.length > named ? `, and ${listed.length - named} more` : '';
  const message = `Unready resources: ${listed.slice(0, named).join(', ')}${rest}`;
  return [synced, { type: 'Ready', status: 'False', reason: 'Creating', message }];
}

function notReady(key: string): RenderEvent {
  return { type: 'Normal', reason: 'ComposeResources', message: `Composed resource "${key}" is not yet ready` };
}
