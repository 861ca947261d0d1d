import { label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readNumber, readPath } from '../../domain/kubernetes/object.ts';
import { conditionStatus } from '../../domain/rollout/read-replica.ts';
import { compareText, type World } from '../crossplane/world.ts';
import { contains } from './contains.ts';
import type { Restart } from './follow-change.ts';
import type { Change, CutStreams } from './plan.ts';
import { isWorkload, podsOf, templatesOf } from './react/pods.ts';
import { landRemote } from './react/remote.ts';

/** Kinds of which any edit makes Envoy replace its listeners (Envoy Gateway 1.9.0, run 2026-12-01). */
const listenerKinds = ['ClientTrafficPolicy', 'EnvoyProxy'];

export interface StreamsQuestion {
  readonly before: World;
  readonly after: World;
  readonly restarts: readonly Restart[];
  readonly changes: readonly Change[];
}

/** Streams that are cut: those of an engine that restarts, if they run too long, and those of a listener that changes. */
export function listStreams({ before, after, restarts, changes }: StreamsQuestion): readonly CutStreams[] {
  const workloads = [...landRemote(before).values()].filter(isWorkload);
  const stopping = workloads.filter((workload) => {
    const pods = podsOf(before, workload);
    return restarts.some(({ pod }) => pods.includes(pod)) || (pods.length > 0 && isGone(workload, after));
  });
  const engines = stopping.map((workload) => ({
    object: workload.metadata.name ?? '',
    why: `${drainOf(workload)}; ${othersOf(before, workload)}`,
  }));
  return [...engines, ...listenersOf(before, after, changes)].sort((left, right) =>
    compareText(left.object, right.object),
  );
}

function isGone(workload: KubernetesObject, after: World): boolean {
  return ![...landRemote(after).values()].some(
    (other) =>
      isWorkload(other) && other.metadata.labels?.[label.replica] === workload.metadata.labels?.[label.replica],
  );
}

function drainOf(workload: KubernetesObject): string {
  const [template] = templatesOf(workload);
  const seconds = readNumber(template, ['spec', 'terminationGracePeriodSeconds']) ?? 30;
  return `streams that run ${Math.ceil(seconds / 60)} min after its pod was told to stop are cut`;
}

/** Whether anything else answers meanwhile. */
function othersOf(before: World, workload: KubernetesObject): string {
  const deployment = workload.metadata.labels?.[label.deployment];
  const others = [...before.values()].filter(
    (object) =>
      object.kind === 'ModelReplica' &&
      object.metadata.labels?.[label.deployment] === deployment &&
      workload.metadata.labels?.[label.replica] !==
        `${object.metadata.namespace ?? ''}.${object.metadata.name ?? ''}` &&
      conditionStatus(object, 'EngineReady') === 'True',
  );
  if (others.length === 0) return 'no other replica answers, so new requests get 503 until it does again';
  return `it is drained first, and ${others.length} other replica${others.length === 1 ? ' answers' : 's answer'} new requests`;
}

function listenersOf(before: World, after: World, changes: readonly Change[]): readonly CutStreams[] {
  const edited = changes.filter(
    ({ kind, action }) => listenerKinds.includes(kind) && action !== 'keep' && action !== 'create',
  );
  const gateways = [...before].filter(
    ([identity, object]) => object.kind === 'Gateway' && !keepsListeners(object, after.get(identity)),
  );
  const why = 'Envoy replaces its listeners: running streams of every model there are cut after its drain timeout';
  return [
    ...edited.map(({ kind, name }) => ({ object: `${kind} "${name}"`, why })),
    ...gateways.map(([, { metadata }]) => ({ object: `Gateway "${metadata.name ?? ''}"`, why })),
  ];
}

/** Listeners are named after the first one of their port, so that only appending leaves the others alone. */
function keepsListeners(before: KubernetesObject, after: KubernetesObject | undefined): boolean {
  const former = readList(before, ['spec', 'listeners']);
  const latter = readList(after, ['spec', 'listeners']);
  return former.every((listener, index) => isRecord(latter[index]) && contains(listener, readPath(latter[index], [])));
}
