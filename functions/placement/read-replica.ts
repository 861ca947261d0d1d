import type { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import type { Cluster, HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { ConditionType, Reason } from '../../domain/kubernetes/condition.ts';
import { hasFeature } from '../../domain/kubernetes/feature.ts';
import { annotation, apiVersion, label } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readNumber } from '../../domain/kubernetes/object.ts';
import { type NamespaceShare, readNamespaceShare } from '../../domain/placement/namespace-share.ts';
import { type ReplicaIdentity, replicaLabel } from '../../domain/placement/node-group.ts';
import { judgeWorkload } from '../../domain/readiness/judge-workload.ts';
import type { ComposeRequest, Requirements } from '../compose.ts';
import { observedWith } from '../observed-with.ts';
import { requirePods } from '../require-pods.ts';
import { templateRevision } from '../template-revision.ts';
import { readClasses, readCluster, requireClasses, waiting } from './read-hardware.ts';

/** What a replica's ladder is decided from, beside its own spec. */
export interface ReplicaSurroundings {
  readonly cluster: Cluster;
  readonly classes: readonly HardwareClass[];
  /** Nodes that joined for this replica. */
  readonly nodes: readonly KubernetesObject[];
  readonly nodeGroupsLeft: number;
  /** What the cap of the namespace leaves; undefined: no cap. */
  readonly share: NamespaceShare | undefined;
  readonly hasPodMonitor: boolean;
}

export type SurroundingsRead =
  | { readonly state: 'Present'; readonly value: ReplicaSurroundings }
  | { readonly state: 'Held'; readonly type: ConditionType; readonly reason: Reason; readonly message: string };

export function identityOf(xr: KubernetesObject, spec: ModelReplicaSpec): ReplicaIdentity {
  return { namespace: xr.metadata.namespace ?? '', name: xr.metadata.name ?? '', deployment: spec.deploymentName };
}

/** Its cluster, its classes, and its own nodes by the label of its groups; nothing of the fleet. */
export function requireSurroundings(spec: ModelReplicaSpec, replica: ReplicaIdentity): Requirements {
  return {
    resources: {
      cluster: { apiVersion, kind: 'InferenceCluster', matchName: spec.clusterName },
      nodes: { apiVersion: 'v1', kind: 'Node', matchLabels: { [label.replica]: replicaLabel(replica) } },
      pods: requirePods(replica),
      ...requireClasses(spec.placement.classes),
    },
  };
}

/** Reads them; what is missing holds the ladder, since unknown is not zero. */
export function readSurroundings(request: ComposeRequest, spec: ModelReplicaSpec): SurroundingsRead {
  const required = request.required('cluster');
  const nodes = request.required('nodes');
  const isWaiting = [required, nodes, request.required('pods')].some(({ state }) => state === 'Unresolved');
  if (isWaiting || required.state === 'Unresolved') return { type: 'Placed', ...waiting() };
  if (required.state === 'Absent') {
    const message = `Cannot find InferenceCluster "${spec.clusterName}" of spec.clusterName: create it; a replica keeps its cluster for life`;
    return { state: 'Held', type: 'Placed', reason: 'ClusterMissing', message };
  }
  const [object] = required.objects;
  const cluster = readCluster(object);
  if (cluster.state === 'Held') return { type: 'Placed', ...cluster };
  const classes = readClasses(request, spec.placement.classes);
  if (classes.state === 'Held') return { type: 'Placed', ...classes };
  const held = readNumber(object, ['status', 'ledger', 'nodeGroups']) ?? 0;
  return {
    state: 'Present',
    value: {
      cluster: cluster.value,
      classes: classes.value,
      nodes: nodes.state === 'Present' ? nodes.objects : [],
      share: readNamespaceShare(object, cluster.value.guardrails, identityOf(request.xr, spec)),
      nodeGroupsLeft: cluster.value.maxNodeGroups - held,
      hasPodMonitor: hasFeature(object, 'PrometheusOperator') === true,
    },
  };
}

/** What runs of a replica, from its observed workload. */
export interface LiveWorkload {
  readonly liveRung?: string;
  readonly serving: boolean;
  /** The author has edited the template or the classes since it was rendered. */
  readonly claimMoved: boolean;
}

/** The rung of the workload that runs, whether it answers, and whether it is what the claim asks for now. */
export function readLive(request: ComposeRequest, spec: ModelReplicaSpec): LiveWorkload {
  const required = request.required('pods');
  const pods = required.state === 'Present' ? required.objects : [];
  for (const object of observedWith(request.observed, 'workload-').values()) {
    const serving = judgeWorkload(object, pods) === 'Ready';
    const liveRung = object.metadata.annotations?.[annotation.rung];
    if (liveRung === undefined) return { serving, claimMoved: false };
    const revision = object.metadata.labels?.[label.revision];
    const isEdited = revision !== undefined && revision !== templateRevision(request.xr, liveRung);
    const isBarred = !spec.placement.classes.some((name) => liveRung.startsWith(`${name}/`));
    return { liveRung, serving, claimMoved: isEdited || isBarred };
  }
  return { serving: false, claimMoved: false };
}
