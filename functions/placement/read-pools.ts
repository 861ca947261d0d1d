import type { Cluster } from '../../domain/hardware/hardware-class.ts';
import type { Reason } from '../../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import type { ClusterList } from '../../domain/kubernetes/remote/observed-list.ts';
import type { ReplicaIdentity } from '../../domain/placement/node-group.ts';
import type { PoolGrant } from '../../domain/placement/pools/pool-grant.ts';
import { type PoolRoom, readPoolLedger } from '../../domain/placement/pools/pool-ledger.ts';
import type { ReplicaPools } from '../../domain/placement/pools/view-pool-rung.ts';
import type { Composed, ComposeRequest, ResourceSelector } from '../compose.ts';
import { ownerOf } from '../replica-lists.ts';
import type { RevisionPlace } from '../template-revision.ts';
import { accessOf, composeCollections, readListOf, remoteName, selectMembers } from '../watch-cluster.ts';
import { findWorkload, placeOf } from './live-workload.ts';
import { waiting } from './read-hardware.ts';

/** The requirements for each node of existing pools that is granted to a replica, or that its workload was rendered for. */
export function requireGrantedNodes(
  request: ComposeRequest,
  replica: ReplicaIdentity,
): Record<string, ResourceSelector> {
  const isRemote = accessOf(request)?.type === 'Remote';
  const entries = namesOf(request, replica).flatMap((name): [string, ResourceSelector][] => {
    const list = listOf(name);
    const here: [string, ResourceSelector] = [list.name, { apiVersion: 'v1', kind: 'Node', matchName: name }];
    return isRemote ? [here, [remoteName(list), selectMembers(list, ownerOf(replica))]] : [here];
  });
  return Object.fromEntries(entries);
}

/** A node by its name; on another cluster by the label that its kubelet sets to it, since lists are by label there. */
function listOf(name: string): ClusterList {
  const selector = { matchLabels: { 'kubernetes.io/hostname': name } };
  return { name: `pool-node-${name}`, apiVersion: 'v1', kind: 'Node', selector };
}

interface PoolsQuestion {
  readonly replica: ReplicaIdentity;
  readonly classes: readonly string[];
  readonly access: Access;
}

/** What looks at granted nodes of a Remote cluster, to be composed by key. */
interface Watching {
  readonly collections: ReadonlyMap<string, Composed>;
}

type PoolsRead =
  | ({ readonly state: 'Present'; readonly value: ReplicaPools | undefined } & Watching)
  | ({ readonly state: 'Held'; readonly reason: Reason; readonly message: string } & Watching);

/**
 * What the ledger of the cluster has for a replica; undefined where no pool is of its classes. A ledger without such a
 * pool has not been written yet or cannot be read: it holds, since unknown is neither full nor free.
 */
export function readReplicaPools(
  request: ComposeRequest,
  { name: clusterName, pools: all }: Cluster,
  { replica, classes, access }: PoolsQuestion,
): PoolsRead {
  const live = livePlace(request);
  const lists = namesOf(request, replica).map(listOf);
  const collections = composeCollections(request, lists, { access, owner: ownerOf(replica) });
  const pools = all.filter(({ className }) => classes.includes(className));
  if (pools.length === 0 && live?.poolNodes === undefined) return { state: 'Present', value: undefined, collections };
  const cluster = clusterOf(request);
  const rooms = cluster === undefined ? new Map<string, PoolRoom>() : readPoolLedger(cluster).rooms;
  const unread = pools.map(({ name }) => name).filter((name) => !rooms.has(name));
  if (unread.length > 0) {
    const message = `Cannot read what is free of pool "${unread.join('", "')}": wait until InferenceCluster "${clusterName}" publishes status.ledger.pools`;
    return { state: 'Held', reason: 'WaitingForRequired', message, collections };
  }
  const nodes = readGrantedNodes(request, replica, access);
  if (nodes.state === 'Held') return { ...nodes, collections };
  const value = { rooms, grants: grantsOf(request, replica), nodes: nodes.value, ...toLive(live) };
  return { state: 'Present', value, collections };
}

/** The granted nodes that exist, by name; held while one is not known. */
function readGrantedNodes(request: ComposeRequest, replica: ReplicaIdentity, access: Access) {
  const nodes = new Map<string, KubernetesObject>();
  for (const name of namesOf(request, replica)) {
    const read = readListOf(request, listOf(name), access);
    if (read.state === 'Held') return { ...waiting(), reason: read.reason, message: read.message };
    const [node] = read.objects;
    if (node !== undefined) nodes.set(name, node);
  }
  return { state: 'Present' as const, value: nodes };
}

function toLive(live: RevisionPlace | undefined): Pick<ReplicaPools, 'live'> {
  return live?.poolNodes === undefined ? {} : { live: { rung: live.rung, nodes: live.poolNodes } };
}

function clusterOf(request: ComposeRequest): KubernetesObject | undefined {
  const required = request.required('cluster');
  return required.state === 'Present' ? required.objects[0] : undefined;
}

function livePlace(request: ComposeRequest): RevisionPlace | undefined {
  const { rendered } = findWorkload(request);
  return rendered === undefined ? undefined : placeOf(rendered);
}

function grantsOf(request: ComposeRequest, { namespace, name }: ReplicaIdentity): readonly PoolGrant[] {
  const cluster = clusterOf(request);
  if (cluster === undefined) return [];
  return readPoolLedger(cluster).grants.filter((grant) => grant.namespace === namespace && grant.replica === name);
}

/** What the workload says is asked first, so that the list only grows while the cluster is being fetched (S3). */
function namesOf(request: ComposeRequest, replica: ReplicaIdentity): readonly string[] {
  const granted = grantsOf(request, replica).flatMap(({ nodes }) => nodes);
  return [...new Set([...(livePlace(request)?.poolNodes ?? []), ...granted])].sort();
}
