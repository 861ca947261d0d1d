/** Lists of objects of a cluster: required from core on the control plane's own, by collections on another one. */
import type { Reason } from '../domain/kubernetes/condition.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../domain/kubernetes/object.ts';
import { Access } from '../domain/kubernetes/remote/access.ts';
import {
  type ClusterList,
  type ListOwner,
  memberLabels,
  readSeen,
  renderCollection,
} from '../domain/kubernetes/remote/observed-list.ts';
import { judgeSight, objectApiVersion } from '../domain/kubernetes/remote/remote-object.ts';
import type { Composed, ComposeRequest, ResourceSelector } from './compose.ts';
import { findBlindness } from './deliver.ts';

/** Why a list or a cluster is not known; the step holds everything. */
export interface Unseen {
  readonly state: 'Held';
  readonly reason: Reason;
  readonly message: string;
}

export type ListRead =
  | { readonly state: 'Seen'; readonly objects: readonly KubernetesObject[] }
  /** With what the provider says, bare of what it is about. */
  | (Unseen & { readonly why: string });

/** How the cluster that was fetched as `cluster` is reached; undefined until that is known. */
export function accessOf(request: ComposeRequest): Access | undefined {
  const required = request.required('cluster');
  return required.state === 'Present' ? readAccess(required.objects[0]) : undefined;
}

/** How an InferenceCluster says that it is reached; undefined where it cannot be read. */
export function readAccess(cluster: KubernetesObject): Access | undefined {
  const read = Access.safeParse(readPath(cluster, ['spec', 'access']) ?? {});
  return read.success ? read.data : undefined;
}

/** The requirements for lists of a cluster; those of another one are beside the rest, since none may go away (S3). */
export function requireLists(
  lists: readonly ClusterList[],
  access: Access | undefined,
  owner: ListOwner,
): Readonly<Record<string, ResourceSelector>> {
  const entries: [string, ResourceSelector][] = [];
  for (const list of lists) {
    entries.push([list.name, selectHere(list)]);
    if (access?.type === 'Remote') entries.push([remoteName(list), selectMembers(list, owner)]);
  }
  return Object.fromEntries(entries);
}

function selectHere({ apiVersion, kind, selector, namespace }: ClusterList): ResourceSelector {
  const { matchLabels = {} } = selector;
  return { apiVersion, kind, matchLabels, ...(namespace === undefined ? {} : { namespace }) };
}

/** The Objects that the provider makes for what it finds. */
export function selectMembers(list: ClusterList, owner: ListOwner): ResourceSelector {
  const { namespace } = owner;
  return { apiVersion: objectApiVersion, kind: 'Object', matchLabels: memberLabels(owner, list), namespace };
}

/** Name of the requirement for what the provider found. */
export function remoteName({ name }: ClusterList): string {
  return `remote-${name}`;
}

/** The collections that make the provider list; none on the control plane's own cluster. */
export function composeCollections(
  request: ComposeRequest,
  lists: readonly ClusterList[],
  { access, owner }: { readonly access: Access; readonly owner: ListOwner },
): ReadonlyMap<string, Composed> {
  if (access.type === 'Local') return new Map();
  return new Map(
    lists.map((list) => {
      const key = keyOf(list);
      const observed = request.stored.get(key);
      const ready = observed !== undefined && judgeSight(observed).state === 'Current';
      const state = ready ? 'Ready' : 'Created';
      const why = `observes ${list.kind} of the cluster`;
      return [key, { object: renderCollection(access, owner, list), ready, state, why }];
    }),
  );
}

function keyOf({ name }: ClusterList): string {
  return `observe-${name}`;
}

/** A list as it is known: fetched by core, or seen by the provider. */
export function readListOf(request: ComposeRequest, list: ClusterList, access: Access | undefined): ListRead {
  const isRemote = access?.type === 'Remote';
  const required = request.required(isRemote ? remoteName(list) : list.name);
  if (required.state === 'Unresolved') return waiting;
  const found = required.state === 'Present' ? required.objects : [];
  if (!isRemote) return { state: 'Seen', objects: found };
  const seen = readSeen(request.stored.get(keyOf(list)), found, request.now);
  if (seen.state === 'Seen') return seen;
  const { state, why } = seen;
  return { state: 'Held', reason: state, message: `Cannot see each ${list.kind} of the cluster: ${why}`, why };
}

const waiting = {
  state: 'Held',
  why: 'what the provider found has not been fetched yet',
  reason: 'WaitingForRequired',
  message: 'Cannot decide before every required object has been fetched; Crossplane fetches them next',
} as const;

/** Why a cluster is out of sight for an XR; undefined while what is shown of it is current (S7). */
export function findUnreachable(
  request: ComposeRequest,
  cluster: KubernetesObject,
  access: Access,
): Unseen | undefined {
  if (access.type === 'Local') return undefined;
  const reachable = readList(cluster, ['status', 'conditions'])
    .filter(isRecord)
    .find(({ type }) => type === 'Reachable');
  if (reachable?.status !== 'True') {
    const said = readString(reachable, ['message']) ?? 'it has not been looked at yet';
    const reason = reachable?.status === 'False' ? 'Stale' : 'NotObserved';
    return { state: 'Held', reason, message: `InferenceCluster "${cluster.metadata.name ?? ''}": ${said}` };
  }
  const blind = findBlindness(request.stored);
  return blind === undefined ? undefined : { state: 'Held', reason: 'Stale', message: blind };
}
