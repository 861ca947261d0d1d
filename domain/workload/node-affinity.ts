import { pluginResources } from '../hardware/vendor.ts';
import { annotation, group, spotTaint } from '../kubernetes/label.ts';
import { readRungName } from '../placement/candidate.ts';
import { nodeGroupLabel } from '../placement/node.ts';
import type { PoolNodes, WorkloadQuestion } from './workload-question.ts';

/** Where the pods of a replica may run: on nodes of its groups, or on the nodes of a pool that are granted to it. */
export function nodeAffinity({ nodeGroups = [], pool }: WorkloadQuestion): Record<string, unknown> {
  const terms =
    pool === undefined
      ? [{ matchExpressions: [{ key: nodeGroupLabel, operator: 'In', values: nodeGroups }] }]
      : pool.nodes.map((node) => onGrantedNode(pool, node));
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
}

/** Terms are alternatives, and a field takes one name, so each granted node has its own. */
function onGrantedNode({ nodeSelector }: PoolNodes, node: string): Record<string, unknown> {
  const labels = Object.entries(nodeSelector).sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    matchExpressions: labels.map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }],
  };
}

/** Memory of where a workload was rendered for: a ledger or a catalogue that forgets takes nothing from it (S1). */
export function placeAnnotations({ rung, pool }: WorkloadQuestion): Record<string, string> {
  return { [annotation.rung]: rung, ...(pool === undefined ? {} : { [annotation.poolNodes]: pool.nodes.join(',') }) };
}

/** The taints that accelerator nodes have: ours, those that the vendors' installers put, and those of the pool. */
export function tolerations({ pool, vendor, rung }: WorkloadQuestion): readonly Record<string, unknown>[] {
  const spot = readRungName(rung).market === 'Spot' ? [spotTaint] : [];
  const usual = [...new Set([`${group}/accelerator`, pluginResources.NVIDIA, pluginResources[vendor], ...spot])];
  const known = usual.map((key) => ({ key, effect: 'NoSchedule' }));
  const own = (pool?.taints ?? []).filter(
    ({ key, effect }) => !known.some((other) => other.key === key && other.effect === effect),
  );
  return [...known, ...own].map(({ key, effect }) => ({ key, operator: 'Exists', effect }));
}
