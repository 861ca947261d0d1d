import { label } from '../domain/kubernetes/label.ts';
import { type Access, remoteNamespace } from '../domain/kubernetes/remote/access.ts';
import type { ClusterList, ListOwner } from '../domain/kubernetes/remote/observed-list.ts';
import { replicaLabel } from '../domain/placement/node-group.ts';

/** A ModelReplica by its place in the control plane. */
export interface ReplicaName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The nodes of one replica, by the label that its node groups give them, and its pods, by the label that each has. The
 * pods are in the namespace of the replica, or in the one that stands for it on a Remote cluster.
 */
export function listsOf(replica: ReplicaName, access?: Access): Readonly<Record<'nodes' | 'pods', ClusterList>> {
  const selector = { matchLabels: { [label.replica]: replicaLabel(replica) } };
  const pods = { name: 'pods', apiVersion: 'v1', kind: 'Pod', selector };
  const isRemote = access?.type === 'Remote';
  const namespace = isRemote ? remoteNamespace(access, replica.namespace) : replica.namespace;
  return {
    nodes: { name: 'nodes', apiVersion: 'v1', kind: 'Node', selector },
    pods: replica.namespace === '' ? pods : { ...pods, namespace },
  };
}

/** The replica as the owner of the collections that look at its cluster. */
export function ownerOf({ namespace, name }: ReplicaName): ListOwner {
  return { kind: 'ModelReplica', name, namespace };
}
