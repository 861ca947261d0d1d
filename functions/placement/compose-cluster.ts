import type { Condition } from '../../domain/kubernetes/condition.ts';
import { type FeatureName, features } from '../../domain/kubernetes/feature.ts';
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { Access } from '../../domain/kubernetes/remote/access.ts';
import { countNodes } from '../../domain/placement/count-nodes.ts';
import { type Grant, grantShares, listDemands, readGrants } from '../../domain/placement/grant-shares.ts';
import type { UsdPerHour } from '../../domain/units/usd.ts';
import type { ComposeRequest, Decision, Freeze, Required } from '../compose.ts';
import { freezeBecause, freezeWatching } from '../freeze.ts';
import { readAccess } from '../watch-cluster.ts';
import { fleetSchemas, type Place, readFleet, requireFleet } from './read-fleet.ts';
import { readCluster, waiting } from './read-hardware.ts';

const ourNodeGroups = {
  apiVersion: features.ProviderAWS.apiVersion,
  kind: features.ProviderAWS.kind,
  matchLabels: { [label.managedBy]: 'modelberth' },
};

const ourReplicas = { apiVersion, kind: 'ModelReplica', matchLabels: { [label.managedBy]: 'modelberth' } };
/** Grants that a status lists at most; a replica without one waits. */
const mostGrants = 512;

/** Publishes the features of a cluster and the ledger of its nodes; the only reader of the whole fleet. */
export function composeCluster(request: ComposeRequest): Decision | Freeze {
  const place = placeOf(request.xr);
  // A kind that does not exist is an error of the whole XR, so node groups are asked for only where their kind is known.
  const canListGroups = request.requiredSchema('ProviderAWS') === 'Present';
  const read = readCluster(request.xr);
  const cap = read.state === 'Present' ? read.value.guardrails.perNamespace?.usdPerHour : undefined;
  const requirements = {
    resources: {
      ...requireFleet(request, place),
      ...(canListGroups ? { nodeGroups: ourNodeGroups } : {}),
      ...(cap === undefined ? {} : { replicas: ourReplicas }),
    },
    schemas: fleetSchemas(place),
  };
  if (read.state === 'Held')
    return freezeBecause(requirements, { type: 'StackReady', reason: 'InvalidSpec', message: read.message });
  const fleet = readFleet(request, place);
  if (fleet.state === 'Held') return freezeWatching(requirements, fleet.conditions, fleet.collections);
  const groups: Required = canListGroups ? request.required('nodeGroups') : { state: 'Absent' };
  const replicas: Required = cap === undefined ? { state: 'Absent' } : request.required('replicas');
  if ([groups, replicas].some(({ state }) => state === 'Unresolved')) {
    const conditions: Condition[] = [{ type: 'StackReady', status: 'Unknown', ...heldParts() }, ...fleet.conditions];
    return freezeWatching(requirements, conditions, fleet.collections);
  }
  const missing = fleet.found.filter(([, isThere]) => !isThere).map(([name]) => name);
  return {
    requirements,
    composed: fleet.collections,
    status: {
      features: Object.fromEntries(fleet.found),
      ledger: {
        ...countNodes(fleet.nodes, objectsOf(groups)),
        ...(cap === undefined ? {} : { grants: grantAll(request.xr, objectsOf(replicas), cap) }),
      },
    },
    conditions: [stackCondition(missing), ...fleet.conditions],
    ready: missing.length === 0,
  };
}

/** How the cluster is reached; one whose spec cannot be read is held anyway. */
function placeOf(xr: KubernetesObject): Place {
  const access = readAccess(xr) ?? Access.parse({});
  return { access, owner: { kind: 'InferenceCluster', name: xr.metadata.name ?? '', namespace: access.namespace } };
}

function grantAll(xr: KubernetesObject, replicas: readonly KubernetesObject[], cap: UsdPerHour): readonly Grant[] {
  const demands = listDemands(replicas, xr.metadata.name ?? '');
  return grantShares(demands, readGrants(xr), cap).slice(0, mostGrants);
}

function objectsOf(required: Required): readonly KubernetesObject[] {
  return required.state === 'Present' ? required.objects : [];
}

function heldParts() {
  const { reason, message } = waiting();
  return { reason, message };
}

function stackCondition(missing: readonly FeatureName[]): Condition {
  if (missing.length === 0)
    return { type: 'StackReady', status: 'True', reason: 'Complete', message: 'Every part is installed' };
  const wanted = missing.map((name) => `${name}: install ${features[name].install}`).sort();
  return {
    type: 'StackReady',
    status: 'False',
    reason: 'Incomplete',
    message: `Cannot use every part: ${wanted.join('; ')}`,
  };
}
