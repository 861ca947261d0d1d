import type { Condition } from '../../domain/kubernetes/condition.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import { type KubernetesObject, readString } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import type { ComposeRequest, Freeze, Requirements } from '../compose.ts';
import { hasRemoteParts } from '../deliver.ts';
import { listsOf, ownerOf } from '../replica-lists.ts';
import { accessOf, findUnreachable, readListOf, requireLists, type Unseen } from '../watch-cluster.ts';

export interface PodsRead {
  readonly requirements: Requirements;
  /** How the cluster is reached; undefined where nobody knows and nothing was composed on another one. */
  readonly access: Access | undefined;
  readonly pods: readonly KubernetesObject[];
}

/** The pods of a replica, or why its cluster is out of sight: what ran there when it was last seen proves nothing (S5). */
export function readPods(request: ComposeRequest): PodsRead | Freeze {
  const { name = '', namespace = '' } = request.xr.metadata;
  const replica = { name, namespace };
  const access = accessOf(request);
  const requirements = requirePods(request, replica, access);
  if (request.required('pods').state === 'Unresolved') {
    const message = 'Cannot decide before the pods of the replica have been fetched; Crossplane fetches them next';
    return {
      frozen: true,
      requirements,
      conditions: [unknown('RolledOut', { reason: 'WaitingForRequired', message })],
    };
  }
  const blind = findBlind(request, access);
  if (blind !== undefined) return freeze(requirements, blind);
  const pods = readListOf(request, listsOf(replica, access).pods, access);
  return pods.state === 'Held' ? freeze(requirements, pods) : { requirements, access, pods: pods.objects };
}

function requirePods(
  request: ComposeRequest,
  replica: { readonly name: string; readonly namespace: string },
  access: Access | undefined,
): Requirements {
  const clusterName = readString(request.xr, ['spec', 'clusterName']);
  const cluster = { apiVersion, kind: 'InferenceCluster', matchName: clusterName ?? '' };
  return {
    resources: {
      ...(clusterName === undefined ? {} : { cluster }),
      ...requireLists([listsOf(replica).pods], access, ownerOf(replica)),
    },
  };
}

function findBlind(
  request: ComposeRequest,
  access: Access | undefined,
): Pick<Unseen, 'reason' | 'message'> | undefined {
  const cluster = request.required('cluster');
  if (access !== undefined && cluster.state === 'Present') return findUnreachable(request, cluster.objects[0], access);
  if (!hasRemoteParts(request.stored)) return undefined;
  const message =
    'Cannot tell whether the Remote cluster is in sight: its InferenceCluster is missing or cannot be read';
  return { reason: 'ClusterMissing', message };
}

function freeze(requirements: Requirements, why: Pick<Unseen, 'reason' | 'message'>): Freeze {
  return {
    frozen: true,
    requirements,
    conditions: [unknown('RolledOut', why), unknown('EngineReady', why)],
    ready: false,
  };
}

function unknown(type: Condition['type'], { reason, message }: Pick<Unseen, 'reason' | 'message'>): Condition {
  return { type, status: 'Unknown', reason, message };
}
