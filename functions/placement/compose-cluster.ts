import type { Condition } from '../../domain/kubernetes/condition.ts';
import { type FeatureName, featureNames, features } from '../../domain/kubernetes/feature.ts';
import { label } from '../../domain/kubernetes/label.ts';
import { countNodes } from '../../domain/placement/count-nodes.ts';
import type { ComposeRequest, Decision, Freeze, Required } from '../compose.ts';
import { freezeBecause } from '../freeze.ts';
import { readCluster, waiting } from './read-hardware.ts';

const ourNodes = { apiVersion: 'v1', kind: 'Node', matchLabels: { [label.node]: 'accelerator' } };
const ourNodeGroups = {
  apiVersion: features.ProviderAWS.apiVersion,
  kind: features.ProviderAWS.kind,
  matchLabels: { [label.managedBy]: 'modelberth' },
};

/** Publishes the features of a cluster and the ledger of its nodes; the only reader of the whole fleet. */
export function composeCluster(request: ComposeRequest): Decision | Freeze {
  const schemas = Object.fromEntries(
    featureNames.map((name) => [name, { apiVersion: features[name].apiVersion, kind: features[name].kind }]),
  );
  // A kind that does not exist is an error of the whole XR, so node groups are asked for only where their kind is known.
  const canListGroups = request.requiredSchema('ProviderAWS') === 'Present';
  const requirements = {
    resources: { nodes: ourNodes, ...(canListGroups ? { nodeGroups: ourNodeGroups } : {}) },
    schemas,
  };
  const read = readCluster(request.xr);
  if (read.state === 'Held')
    return freezeBecause(requirements, { type: 'StackReady', reason: 'InvalidSpec', message: read.message });
  const nodes = request.required('nodes');
  const groups: Required = canListGroups ? request.required('nodeGroups') : { state: 'Absent' };
  const found = featureNames.map((name) => [name, request.requiredSchema(name)] as const);
  const isWaiting =
    nodes.state === 'Unresolved' || groups.state === 'Unresolved' || found.some(([, state]) => state === 'Unresolved');
  if (isWaiting) return freezeBecause(requirements, { type: 'StackReady', ...heldParts() });
  const missing = found.filter(([, state]) => state === 'Absent').map(([name]) => name);
  return {
    requirements,
    composed: new Map(),
    status: {
      features: Object.fromEntries(found.map(([name, state]) => [name, state === 'Present'])),
      ledger: countNodes(
        nodes.state === 'Present' ? nodes.objects : [],
        groups.state === 'Present' ? groups.objects : [],
      ),
    },
    conditions: [stackCondition(missing)],
    ready: missing.length === 0,
  };
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
