/** What an InferenceCluster sees of its cluster: which parts are installed and which nodes have joined. */
import type { Condition } from '../../domain/kubernetes/condition.ts';
import { type FeatureName, featureNames, features, providerKubernetes } from '../../domain/kubernetes/feature.ts';
import { label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { Access } from '../../domain/kubernetes/remote/access.ts';
import type { ClusterList, ListOwner } from '../../domain/kubernetes/remote/observed-list.ts';
import { apiServerLeases, reachableCondition } from '../../domain/kubernetes/remote/reachable.ts';
import { apiServices, servesApi } from '../../domain/kubernetes/remote/served-apis.ts';
import type { Composed, ComposeRequest, ResourceSelector, SchemaSelector } from '../compose.ts';
import { composeCollections, readListOf, remoteName, requireLists, selectMembers } from '../watch-cluster.ts';
import { waiting } from './read-hardware.ts';

const ourNodes: ClusterList = {
  name: 'nodes',
  apiVersion: 'v1',
  kind: 'Node',
  selector: { matchLabels: { [label.node]: 'accelerator' } },
};

function remoteListsOf({ pools }: Place): readonly ClusterList[] {
  return [apiServerLeases, apiServices, ourNodes, ...pools];
}

/** A cluster by the way it is reached, and the XR that looks at it. */
export interface Place {
  readonly access: Access;
  readonly owner: ListOwner;
  /** Whether node groups are created for it. */
  readonly hasEks: boolean;
  /** The nodes of its existing pools. */
  readonly pools: readonly ClusterList[];
}

/** The part of a Remote cluster's stack that is in the control plane; the rest of the parts is asked of the cluster itself. */
const controlPlaneParts = ['ProviderAWS'] as const satisfies readonly FeatureName[];

/** The kinds that the control plane's API server must know. */
export function fleetSchemas({ access, hasEks }: Place): Readonly<Record<string, SchemaSelector>> {
  const isRemote = access.type === 'Remote';
  const all: readonly FeatureName[] = isRemote ? controlPlaneParts : featureNames;
  const names = all.filter((name) => isWanted(name, hasEks));
  const parts = names.map((name) => [name, { apiVersion: features[name].apiVersion, kind: features[name].kind }]);
  const { apiVersion, kinds } = providerKubernetes;
  const observers = kinds.map((kind) => [kind, { apiVersion, kind }]);
  return Object.fromEntries([...parts, ...(isRemote ? observers : [])]);
}

/** The parts that a cluster without EKS has no use for: nothing creates node groups or load balancers of AWS there. */
const partsOfAws: readonly FeatureName[] = ['AWSLoadBalancerController', 'ProviderAWS'];

function isWanted(name: FeatureName, hasEks: boolean): boolean {
  return hasEks || !partsOfAws.includes(name);
}

/** The objects to fetch; of a Remote cluster only once their kind is known, since an absent kind fails the whole XR. */
export function requireFleet(request: ComposeRequest, place: Place): Record<string, ResourceSelector> {
  const { access, owner, pools } = place;
  if (access.type === 'Local') return { ...requireLists([ourNodes, ...pools], access, owner) };
  if (!providerKubernetes.kinds.every((kind) => request.requiredSchema(kind) === 'Present')) return {};
  return Object.fromEntries(remoteListsOf(place).map((list) => [remoteName(list), selectMembers(list, owner)]));
}

export type FleetRead =
  | {
      readonly state: 'Seen';
      readonly nodes: readonly KubernetesObject[];
      /** The nodes of each existing pool, by the name of its list. */
      readonly poolNodes: ReadonlyMap<string, readonly KubernetesObject[]>;
      readonly found: readonly (readonly [FeatureName, boolean])[];
      readonly conditions: readonly Condition[];
      readonly collections: ReadonlyMap<string, Composed>;
    }
  | {
      readonly state: 'Held';
      readonly conditions: readonly Condition[];
      readonly collections: ReadonlyMap<string, Composed>;
    };

/** Reads them, or says why nothing of the cluster is known now. */
export function readFleet(request: ComposeRequest, place: Place): FleetRead {
  const names = Object.keys(fleetSchemas(place));
  const isWaiting = names.some((name) => request.requiredSchema(name) === 'Unresolved');
  if (isWaiting) return held(new Map(), unknown(waiting()));
  if (place.access.type === 'Remote') return readRemote(request, place);
  const nodes = readListOf(request, ourNodes, place.access);
  if (nodes.state === 'Held') return held(new Map(), unknown(nodes));
  const poolNodes = readPools(request, place);
  if (poolNodes.state === 'Held') return held(new Map(), unknown(poolNodes));
  const found = featureNames
    .filter((name) => isWanted(name, place.hasEks))
    .map((name) => [name, request.requiredSchema(name) === 'Present'] as const);
  const seen = { nodes: nodes.objects, poolNodes: poolNodes.nodes, found };
  return { state: 'Seen', ...seen, conditions: [], collections: new Map() };
}

/** The nodes of every existing pool, or why those of one are not known. */
function readPools(request: ComposeRequest, { access, pools }: Place) {
  const nodes = new Map<string, readonly KubernetesObject[]>();
  for (const list of pools) {
    const read = readListOf(request, list, access);
    if (read.state === 'Held') return read;
    nodes.set(list.name, read.objects);
  }
  return { state: 'Seen' as const, nodes };
}

function readRemote(request: ComposeRequest, place: Place): FleetRead {
  const { access, owner } = place;
  if (providerKubernetes.kinds.some((kind) => request.requiredSchema(kind) === 'Absent')) {
    const message = `Cannot see a Remote cluster: install ${providerKubernetes.install}`;
    return held(new Map(), { type: 'StackReady', status: 'False', reason: 'Incomplete', message });
  }
  const collections = composeCollections(request, remoteListsOf(place), { access, owner });
  const leases = readListOf(request, apiServerLeases, access);
  const reach = reachableCondition(access, leases, request.now);
  const services = readListOf(request, apiServices, access);
  const nodes = readListOf(request, ourNodes, access);
  if (reach.status !== 'True') return held(collections, unknown(reach), reach);
  if (services.state === 'Held') return held(collections, unknown(services), reach);
  if (nodes.state === 'Held') return held(collections, unknown(nodes), reach);
  const poolNodes = readPools(request, place);
  if (poolNodes.state === 'Held') return held(collections, unknown(poolNodes), reach);
  const found = featureNames
    .filter((name) => isWanted(name, place.hasEks))
    .map((name) => [name, hasPart(request, name, services.objects)] as const);
  const seen = { nodes: nodes.objects, poolNodes: poolNodes.nodes, found };
  return { state: 'Seen', ...seen, conditions: [reach], collections };
}

function hasPart(request: ComposeRequest, name: FeatureName, services: readonly KubernetesObject[]): boolean {
  const isHere = controlPlaneParts.some((part) => part === name);
  return isHere ? request.requiredSchema(name) === 'Present' : servesApi(services, features[name].apiVersion);
}

function held(collections: ReadonlyMap<string, Composed>, ...conditions: readonly Condition[]): FleetRead {
  return { state: 'Held', conditions, collections };
}

function unknown({ reason, message }: Pick<Condition, 'reason' | 'message'>): Condition {
  return { type: 'StackReady', status: 'Unknown', reason, message };
}
