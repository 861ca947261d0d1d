import type { Cluster } from '../../domain/hardware/hardware-class.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import { features } from '../../domain/kubernetes/feature.ts';
import { label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { Access } from '../../domain/kubernetes/remote/access.ts';
import { listParts, stackCondition } from '../../domain/kubernetes/stack.ts';
import { countNodes } from '../../domain/placement/count-nodes.ts';
import { listDemands } from '../../domain/placement/grant-shares.ts';
import type { ComposeRequest, Decision, Freeze, Requirements } from '../compose.ts';
import { freezeBecause, freezeWatching } from '../freeze.ts';
import { readAccess } from '../watch-cluster.ts';
import { capsOf, everyReplica, publishGrants } from './grant-ledger.ts';
import { listPoolNodes, publishPools } from './ledger-pools.ts';
import { fleetSchemas, type Place, readFleet, requireFleet } from './read-fleet.ts';
import { readCluster, waiting } from './read-hardware.ts';
import { readStack, requireStack } from './read-stack.ts';

const ourNodeGroups = {
  apiVersion: features.ProviderAWS.apiVersion,
  kind: features.ProviderAWS.kind,
  matchLabels: { [label.managedBy]: 'modelberth' },
};

/** Publishes the features of a cluster and the ledger of its nodes; the only reader of the whole fleet. */
export function composeCluster(request: ComposeRequest): Decision | Freeze {
  const read = readCluster(request.xr);
  const cluster = read.state === 'Present' ? read.value : undefined;
  const place = placeOf(request.xr, cluster);
  const requirements = require(request, place, cluster);
  if (read.state === 'Held')
    return freezeBecause(requirements, { type: 'StackReady', reason: 'InvalidSpec', message: read.message });
  const fleet = readFleet(request, place);
  if (fleet.state === 'Held') return freezeWatching(requirements, fleet.conditions, fleet.collections);
  if (isWaiting(request, requirements, place)) {
    const { reason, message } = waiting();
    const unknown: Condition = { type: 'StackReady', status: 'Unknown', reason, message };
    return freezeWatching(requirements, [unknown, ...fleet.conditions], fleet.collections);
  }
  const { allocation } = read.value;
  const parts = listParts({ found: fleet.found, allocation, details: readStack(request, requirements.resources) });
  const stack = stackCondition(parts);
  const replicas = objectsOf(request, 'replicas');
  const pools = publishPools(request, { cluster: read.value, replicas, nodes: fleet.poolNodes });
  return {
    requirements,
    composed: fleet.collections,
    status: {
      features: Object.fromEntries(fleet.found),
      parts,
      ledger: {
        ...countNodes(fleet.nodes, objectsOf(request, 'nodeGroups')),
        ...grantAll(request.xr, read.value, replicas),
        ...pools.ledger,
      },
    },
    conditions: [stack, ...fleet.conditions, ...pools.conditions],
    ready: stack.status === 'True',
  };
}

/** How the cluster is reached and what is looked at there; one whose spec cannot be read is held anyway. */
function placeOf(xr: KubernetesObject, cluster: Cluster | undefined): Place {
  const access = readAccess(xr) ?? Access.parse({});
  const owner = { kind: 'InferenceCluster', name: xr.metadata.name ?? '', namespace: access.namespace };
  const hasEks = cluster === undefined || cluster.eks !== undefined;
  return { access, owner, hasEks, pools: (cluster?.pools ?? []).map(listPoolNodes) };
}

function require(request: ComposeRequest, place: Place, cluster: Cluster | undefined): Requirements {
  const { pools = [] } = cluster ?? {};
  // A kind that does not exist is an error of the whole XR, so node groups are asked for only where their kind is known.
  const canListGroups = place.hasEks && request.requiredSchema('ProviderAWS') === 'Present';
  const grants = pools.length > 0 || (cluster !== undefined && capsOf(cluster.guardrails) !== undefined);
  return {
    resources: {
      ...requireFleet(request, place),
      ...(cluster === undefined || place.access.type === 'Remote' ? {} : requireStack(request)),
      ...(canListGroups ? { nodeGroups: ourNodeGroups } : {}),
      ...(grants ? { replicas: everyReplica } : {}),
    },
    schemas: fleetSchemas(place),
  };
}

/** Whether something that was asked for beside the fleet has not been fetched yet. */
function isWaiting(request: ComposeRequest, { resources }: Requirements, place: Place): boolean {
  const fleet = requireFleet(request, place);
  const others = Object.keys(resources).filter((name) => !Object.hasOwn(fleet, name));
  return others.some((name) => request.required(name).state === 'Unresolved');
}

function grantAll(xr: KubernetesObject, { guardrails }: Cluster, replicas: readonly KubernetesObject[]) {
  const caps = capsOf(guardrails);
  return caps === undefined ? {} : publishGrants(xr, caps, listDemands(replicas, xr.metadata.name ?? ''));
}

function objectsOf(request: ComposeRequest, name: string): readonly KubernetesObject[] {
  const required = request.required(name);
  return required.state === 'Present' ? required.objects : [];
}
