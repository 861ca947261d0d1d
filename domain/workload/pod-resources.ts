import { pluginResources } from '../hardware/vendor.ts';
import { formatBytes, gib, mib } from '../units/bytes.ts';
import { formatCpu } from '../units/cpu.ts';
import type { WorkloadQuestion } from './workload-question.ts';

/** What DaemonSets of an EKS accelerator node take (CNI, kube-proxy, DRA driver, exporters); an estimate of ours, 2026-12-01. */
const daemonSets = { cpu: 500, memory: gib };

/** Name of the pod's claim for accelerators. */
export const claimName = 'accelerators';

/** Requests and limits that fit the smallest node type of the rung; the node is the replica's alone. */
export function podResources(question: WorkloadQuestion): Record<string, unknown> {
  const { smallestNode, allocation, vendor, shape } = question;
  const cpu = formatCpu(Math.max(100, smallestNode.cpu - daemonSets.cpu));
  const memory = formatBytes(Math.max(mib, Math.floor((smallestNode.memory - daemonSets.memory) / mib) * mib));
  if (allocation === 'DRA') return { requests: { cpu, memory }, limits: { memory }, claims: [{ name: claimName }] };
  const accelerators = { [pluginResources[vendor]]: String(shape.acceleratorsPerNode) };
  return { requests: { cpu, memory, ...accelerators }, limits: { memory, ...accelerators } };
}
