import { compareKnown } from '../../domain/hardware/compare-known.ts';
import type { HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import { listClassDemands } from '../../domain/placement/grant-shares.ts';
import type { ComposeRequest, Decision, Freeze } from '../compose.ts';
import { freezeBecause } from '../freeze.ts';
import { capsOf, everyReplica, publishGrants } from './grant-ledger.ts';
import { readClass, waiting } from './read-hardware.ts';

/** Publishes what a hardware class admits, and the ledger of its caps; composes nothing. */
export function composeClass(request: ComposeRequest): Decision | Freeze {
  const read = readClass(request.xr);
  if (read.state === 'Held')
    return freezeBecause({ resources: {} }, { type: 'Catalogued', reason: 'InvalidSpec', message: read.message });
  const caps = capsOf(read.value.guardrails ?? {});
  const requirements = { resources: caps === undefined ? {} : { replicas: everyReplica } };
  const replicas = caps === undefined ? ({ state: 'Absent' } as const) : request.required('replicas');
  if (replicas.state === 'Unresolved') return freezeBecause(requirements, { type: 'Catalogued', ...waiting() });
  const users = replicas.state === 'Present' ? replicas.objects : [];
  const demands = listClassDemands(users, read.value.name);
  return {
    requirements,
    composed: new Map(),
    status: {
      admits: describeAdmitted(read.value),
      ...(caps === undefined ? {} : { ledger: publishGrants(request.xr, caps, demands) }),
    },
    conditions: [{ type: 'Catalogued', ...judge(read.value) }],
    ready: true,
  };
}

function judge({ accelerator, nodeTypes }: HardwareClass): Omit<Condition, 'type'> {
  const unpriced = nodeTypes.filter((type) => type.usdPerHour === undefined).map((type) => type.instanceType);
  if (unpriced.length > 0) {
    const message = `Cannot keep a budget on ${unpriced.slice(0, 5).join(', ')}: set usdPerHour of spec.eks.nodeTypes`;
    return { status: 'False', reason: 'Incomplete', message };
  }
  const differences = compareKnown(accelerator);
  if (differences.length > 0) {
    const message = `${differences.join('; ')}; correct it, or keep it where the driver of your nodes says so`;
    return { status: 'True', reason: 'FactsDiffer', message };
  }
  const message =
    nodeTypes.length > 0
      ? 'Every node type has a price'
      : 'EKS provides no node of it: pools of an InferenceCluster do, each with its own price';
  return { status: 'True', reason: 'Complete', message };
}

function describeAdmitted({ nodeTypes }: HardwareClass): Record<string, unknown> {
  const prices = nodeTypes.map((type) => type.usdPerHour).filter((price) => price !== undefined);
  const isPriced = prices.length === nodeTypes.length && prices.length > 0;
  return {
    instanceTypes: nodeTypes.map((type) => type.instanceType),
    acceleratorsPerNode: [...new Set(nodeTypes.map((type) => type.accelerators))].sort((left, right) => left - right),
    ...(isPriced ? { usdPerHour: { least: Math.min(...prices), most: Math.max(...prices) } } : {}),
  };
}
