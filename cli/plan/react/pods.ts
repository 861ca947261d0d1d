/**
 * What Kubernetes and LeaderWorkerSet make of a workload that was applied: other pods where its pod template is another
 * one, all of them ready. A workload that was not touched keeps the pods and the state that it has.
 */
import { label } from '../../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readNumber, readPath } from '../../../domain/kubernetes/object.ts';
import { identityOf, type World } from '../../crossplane/world.ts';
import { contains } from '../contains.ts';

const workloadKinds = ['Deployment', 'LeaderWorkerSet'];

export interface PodChange {
  readonly world: World;
  /** Pods that had to go so that others start in their place. */
  readonly restarted: readonly KubernetesObject[];
}

/** Tells whether an object makes the pods of a replica. */
export function isWorkload({ kind, metadata }: KubernetesObject): boolean {
  return workloadKinds.includes(kind) && metadata.labels?.[label.replica] !== undefined;
}

/** The pods of the replica of a workload. */
export function podsOf(world: World, workload: KubernetesObject): readonly KubernetesObject[] {
  const { namespace, labels } = workload.metadata;
  return [...world.values()].filter(
    ({ kind, metadata }) =>
      kind === 'Pod' &&
      metadata.namespace === namespace &&
      metadata.labels?.[label.replica] === labels?.[label.replica],
  );
}

/** Pods as they are once every workload that was applied has settled. */
export function reactPods(before: World, after: World): PodChange {
  const next = new Map(after);
  const restarted: KubernetesObject[] = [];
  for (const [identity, workload] of after) {
    const earlier = before.get(identity);
    if (!isWorkload(workload) || earlier === workload) continue;
    const keepsPods = earlier !== undefined && contains(templatesOf(earlier), templatesOf(workload));
    if (!keepsPods) restarted.push(...replacePods(next, workload));
    next.set(identity, settle(workload, keepsPods ? earlier : undefined));
  }
  return { world: removeOrphans(before, next), restarted };
}

/** Puts new pods in the place of those that run, and gives back the latter. */
function replacePods(world: Map<string, KubernetesObject>, workload: KubernetesObject): readonly KubernetesObject[] {
  const leaving = podsOf(world, workload);
  for (const pod of leaving) world.delete(identityOf(pod));
  for (const pod of makePods(workload)) world.set(identityOf(pod), pod);
  return leaving;
}

/** Pods of a workload that is gone go with it, unless another one of the replica has replaced them. */
function removeOrphans(before: World, after: World): World {
  const next = new Map(after);
  for (const [identity, workload] of before) {
    if (!isWorkload(workload) || after.has(identity)) continue;
    const heirs = [...after.values()].filter(
      (other) =>
        isWorkload(other) && other.metadata.labels?.[label.replica] === workload.metadata.labels?.[label.replica],
    );
    if (heirs.length === 0) for (const pod of podsOf(next, workload)) next.delete(identityOf(pod));
  }
  return next;
}

/** The pod templates of a workload, the leader's first. */
export function templatesOf(workload: KubernetesObject): readonly unknown[] {
  if (workload.kind === 'Deployment') return [readPath(workload, ['spec', 'template'])];
  const gang = readPath(workload, ['spec', 'leaderWorkerTemplate']);
  const size = readNumber(gang, ['size']) ?? 1;
  const workers = new Array(Math.max(0, size - 1)).fill(readPath(gang, ['workerTemplate']));
  return [readPath(gang, ['leaderTemplate']), ...workers];
}

function makePods(workload: KubernetesObject): readonly KubernetesObject[] {
  const { name = '', namespace } = workload.metadata;
  return templatesOf(workload).map((template, index) => {
    const metadata = readPath(template, ['metadata']);
    const spec = readPath(template, ['spec']);
    const own = workload.kind === 'Deployment' ? `${name}-${revisionOf(workload)}` : gangPodName(name, index);
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: own,
        ...(namespace === undefined ? {} : { namespace }),
        labels: (isRecord(metadata) && isRecord(metadata.labels) ? metadata.labels : {}) as Record<string, string>,
      },
      spec: isRecord(spec) ? spec : {},
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    };
  });
}

/** As LeaderWorkerSet names the pods of its first group: `gang-0` leads, `gang-0-1` is its first worker. */
function gangPodName(name: string, index: number): string {
  return index === 0 ? `${name}-0` : `${name}-0-${index}`;
}

function revisionOf({ metadata }: KubernetesObject): string {
  return metadata.labels?.[label.revision] ?? 'new';
}

/** The status of a workload whose pods are all ready, or the one that it had before an edit that touches no pod. */
function settle(workload: KubernetesObject, earlier: KubernetesObject | undefined): KubernetesObject {
  const observedGeneration = workload.metadata.generation ?? 1;
  if (earlier !== undefined) {
    const status = isRecord(earlier.status) ? earlier.status : {};
    return { ...workload, status: { ...status, observedGeneration } };
  }
  const replicas = readNumber(workload, ['spec', 'replicas']) ?? 1;
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  return { ...workload, status: { observedGeneration, ...counts } };
}
