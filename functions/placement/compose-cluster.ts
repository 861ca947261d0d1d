import type { Condition } from '../../domain/kubernetes/condition.ts';
import { type FeatureName, featureNames, features } from '../../domain/kubernetes/feature.ts';
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { countNodes } from '../../domain/placement/count-nodes.ts';
import { type Grant, grantShares, listDemands, readGrants } from '../../domain/placement/grant-shares.ts';
import type { UsdPerHour } from '../../domain/units/usd.ts';
import type { ComposeRequest, Decision, Freeze, Required } from '../compose.ts';
import { freezeBecause } from '../freeze.ts';
import { readCluster, waiting } from './read-hardware.ts';

const ourNodes = { apiVersion: 'v1', kind: 'Node', matchLabels: { [label.node]: 'accelerator' } };
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
  const schemas = Object.fromEntries(
    featureNames.map((name) => [name, { apiVersion: features[name].apiVersion, kind: features[name].kind }]),
  );
  // A kind that does not exist is an error of the whole XR, so node groups are asked for only where their kind is known.
  const canListGroups = request.requiredSchema('ProviderAWS') === 'Present';
  const read = readCluster(request.xr);
  const cap = read.state === 'Present' ? read.value.guardrails.perNamespace?.usdPerHour : undefined;
  const requirements = {
    resources: {
      nodes: ourNodes,
      ...(canListGroups ? { nodeGroups: ourNodeGroups } : {}),
      ...(cap === undefined ? {} : { replicas: ourReplicas }),
    },
    schemas,
  };
  if (read.state === 'Held')
    return freezeBecause(requirements, { type: 'StackReady', reason: 'InvalidSpec', message: read.message });
  const nodes = request.required('nodes');
  const groups: Required = canListGroups ? request.required('nodeGroups') : { state: 'Absent' };
  const replicas: Required = cap === undefined ? { state: 'Absent' } : request.required('replicas');
  const found = featureNames.map((name) => [name, request.requiredSchema(name)] as const);
  const isWaiting =
    [nodes, groups, replicas].some(({ state }) => state === 'Unresolved') ||
    found.some(([, state]) => state === 'Unresolved');
  if (isWaiting) return freezeBecause(requirements, { type: 'StackReady', ...heldParts() });
  const missing = found.filter(([, state]) => state === 'Absent').map(([name]) => name);
  return {
    requirements,
    composed: new Map(),
    status: {
      features: Object.fromEntries(found.map(([name, state]) => [name, state === 'Present'])),
      ledger: {
        ...countNodes(objectsOf(nodes), objectsOf(groups)),
        ...(cap === undefined ? {} : { grants: grantAll(request.xr, objectsOf(replicas), cap) }),
      },
    },
    conditions: [stackCondition(missing)],
    ready: missing.length === 0,
  };
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
