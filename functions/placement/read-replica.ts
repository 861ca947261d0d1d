import type { ModelReplicaSpec } from '../../apis/modelreplicas/schema.ts';
import type { Cluster, HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { ConditionType, Reason } from '../../domain/kubernetes/condition.ts';
import { hasFeature } from '../../domain/kubernetes/feature.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readNumber } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import { launchTemplateKind } from '../../domain/placement/launch-template.ts';
import { type CapOwner, type NamespaceShares, readNamespaceShares } from '../../domain/placement/namespace-share.ts';
import type { ReplicaIdentity } from '../../domain/placement/node-group.ts';
import type { ReplicaPools } from '../../domain/placement/pools/view-pool-rung.ts';
import type { Composed, ComposeRequest, Requirements } from '../compose.ts';
import { listsOf, ownerOf } from '../replica-lists.ts';
import { accessOf, composeCollections, findUnreachable, readListOf, requireLists } from '../watch-cluster.ts';
import { readClasses, readCluster, requireClasses, waiting } from './read-hardware.ts';
import { readReplicaPools, requireGrantedNodes } from './read-pools.ts';

/** What a replica's ladder is decided from, beside its own spec. */
export interface ReplicaSurroundings {
  readonly cluster: Cluster;
  readonly classes: readonly HardwareClass[];
  /** How the cluster is reached. */
  readonly access: Access;
  /** Nodes that joined for this replica. */
  readonly nodes: readonly KubernetesObject[];
  readonly pods: readonly KubernetesObject[];
  /** What looks at a Remote cluster, to be composed by key. */
  readonly collections: ReadonlyMap<string, Composed>;
  readonly nodeGroupsLeft: number;
  /** What the caps of the namespace leave; undefined: no cap. */
  readonly shares: NamespaceShares | undefined;
  readonly hasPodMonitor: boolean;
  /** A class needs launch templates, and the control plane does not know them. */
  readonly lacksTemplates: boolean;
  /** What it has and could have of existing pools; undefined where neither it nor its cluster has any. */
  readonly pools: ReplicaPools | undefined;
}

/** Why the ladder is held. */
export interface SurroundingsHeld {
  readonly state: 'Held';
  readonly type: ConditionType;
  readonly reason: Reason;
  readonly message: string;
  /** What is composed all the same, so that the cluster comes into sight. */
  readonly collections?: ReadonlyMap<string, Composed>;
}

export type SurroundingsRead = { readonly state: 'Present'; readonly value: ReplicaSurroundings } | SurroundingsHeld;

export function identityOf(xr: KubernetesObject, spec: ModelReplicaSpec): ReplicaIdentity {
  return { namespace: xr.metadata.namespace ?? '', name: xr.metadata.name ?? '', deployment: spec.deploymentName };
}

/**
 * Its cluster, its classes, its own nodes by the label of its groups, and by name those that it was granted; nothing of
 * the fleet.
 */
export function requireSurroundings(
  request: ComposeRequest,
  spec: ModelReplicaSpec,
  replica: ReplicaIdentity,
): Requirements {
  const { nodes, pods } = listsOf(replica);
  return {
    ...(needsTemplates(request, spec) ? { schemas: { LaunchTemplate: launchTemplateKind } } : {}),
    resources: {
      cluster: { apiVersion, kind: 'InferenceCluster', matchName: spec.clusterName },
      ...requireLists([nodes, pods], accessOf(request), ownerOf(replica)),
      ...requireClasses(spec.placement.classes),
      ...requireGrantedNodes(request, replica),
    },
  };
}

/** Tells whether a class of the replica may need launch templates; not while none has been fetched. */
function needsTemplates(request: ComposeRequest, { placement }: ModelReplicaSpec): boolean {
  const classes = readClasses(request, placement.classes);
  if (classes.state === 'Held') return false;
  return classes.value.some(
    ({ reservations = [], localStorage }) => reservations.length > 0 || localStorage === 'RAID0',
  );
}

/** Reads them; what is missing holds the ladder, since unknown is not zero. */
export function readSurroundings(request: ComposeRequest, spec: ModelReplicaSpec): SurroundingsRead {
  const required = request.required('cluster');
  if (required.state === 'Unresolved') return { type: 'Placed', ...waiting() };
  if (required.state === 'Absent') {
    const message = `Cannot find InferenceCluster "${spec.clusterName}" of spec.clusterName: create it; a replica keeps its cluster for life`;
    return { state: 'Held', type: 'Placed', reason: 'ClusterMissing', message };
  }
  const [object] = required.objects;
  const cluster = readCluster(object);
  if (cluster.state === 'Held') return { type: 'Placed', ...cluster };
  const classes = readClasses(request, spec.placement.classes);
  if (classes.state === 'Held') return { type: 'Placed', ...classes };
  const replica = identityOf(request.xr, spec);
  const templates = needsTemplates(request, spec) ? request.requiredSchema('LaunchTemplate') : 'Present';
  if (templates === 'Unresolved') return { type: 'Placed', ...waiting() };
  const sight = readSight(request, object, replica);
  if (sight.state === 'Held') return sight;
  const pools = readReplicaPools(request, cluster.value, {
    replica,
    classes: spec.placement.classes,
    access: sight.value.access,
  });
  const collections = new Map([...sight.value.collections, ...pools.collections]);
  if (pools.state === 'Held') return { type: 'Placed', ...pools, collections };
  const held = readNumber(object, ['status', 'ledger', 'nodeGroups']) ?? 0;
  return {
    state: 'Present',
    value: {
      cluster: cluster.value,
      classes: classes.value,
      ...sight.value,
      collections,
      shares: readNamespaceShares(
        { object, guardrails: cluster.value.guardrails },
        ownersOf(request, classes.value),
        replica,
      ),
      nodeGroupsLeft: cluster.value.maxNodeGroups - held,
      hasPodMonitor: hasFeature(object, 'PrometheusOperator') === true,
      lacksTemplates: templates === 'Absent',
      pools: pools.value,
    },
  };
}

/** The classes that state guardrails, each with its ledger. */
function ownersOf(request: ComposeRequest, classes: readonly HardwareClass[]): readonly CapOwner[] {
  return classes.flatMap(({ name, guardrails }) => {
    const required = request.required(`class-${name}`);
    return guardrails === undefined || required.state !== 'Present'
      ? []
      : [{ object: required.objects[0], guardrails }];
  });
}

type Sight = Pick<ReplicaSurroundings, 'access' | 'nodes' | 'pods' | 'collections'>;

/** The nodes and pods of the replica, as far as its cluster is in sight. */
function readSight(
  request: ComposeRequest,
  cluster: KubernetesObject,
  replica: ReplicaIdentity,
): { readonly state: 'Seen'; readonly value: Sight } | SurroundingsHeld {
  const access = accessOf(request);
  if (access === undefined) return { type: 'Placed', ...waiting() };
  const unreachable = findUnreachable(request, cluster, access);
  if (unreachable !== undefined) return { type: 'Placed', ...unreachable };
  const lists = listsOf(replica, access);
  const collections = composeCollections(request, [lists.nodes, lists.pods], { access, owner: ownerOf(replica) });
  const nodes = readListOf(request, lists.nodes, access);
  if (nodes.state === 'Held') return { type: 'Placed', ...nodes, collections };
  const pods = readListOf(request, lists.pods, access);
  if (pods.state === 'Held') return { type: 'Placed', ...pods, collections };
  return { state: 'Seen', value: { access, nodes: nodes.objects, pods: pods.objects, collections } };
}
