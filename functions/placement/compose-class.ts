import { compareKnown } from '../../domain/hardware/compare-known.ts';
import type { HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import { listClassDemands } from '../../domain/placement/grant-shares.ts';
import { marketsOf } from '../../domain/placement/node-sources.ts';
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

function judge(hardwareClass: HardwareClass): Omit<Condition, 'type'> {
  const { accelerator, nodeTypes } = hardwareClass;
  const unpriced = sayUnpriced(hardwareClass);
  if (unpriced !== undefined) return { status: 'False', reason: 'Incomplete', message: unpriced };
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

/** The node types of which a price is unknown on a market on which they are bought. */
function sayUnpriced(hardwareClass: HardwareClass): string | undefined {
  const { nodeTypes } = hardwareClass;
  const markets = marketsOf(hardwareClass);
  for (const [market, field] of [
    ['OnDemand', 'usdPerHour'],
    ['Spot', 'spotUsdPerHour'],
  ] as const) {
    const unpriced = nodeTypes.filter((type) => type[field] === undefined).map((type) => type.instanceType);
    if (markets.includes(market) && unpriced.length > 0)
      return `Cannot keep a budget on ${unpriced.slice(0, 5).join(', ')}: set ${field} of spec.eks.nodeTypes`;
  }
  return undefined;
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
