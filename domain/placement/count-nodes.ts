import { label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isUsableNode } from './node.ts';

export interface Ledger {
  readonly nodes: number;
  readonly usableNodes: number;
  readonly nodeGroups: number;
  readonly classes: readonly { readonly class: string; readonly nodes: number; readonly usableNodes: number }[];
}

/** Counts the nodes of composed pools by class, and the node groups that exist. */
export function countNodes(nodes: readonly KubernetesObject[], nodeGroups: readonly KubernetesObject[]): Ledger {
  const names = [...new Set(nodes.map(classOf))].sort();
  return {
    nodes: nodes.length,
    usableNodes: nodes.filter(isUsableNode).length,
    nodeGroups: nodeGroups.length,
    classes: names.map((name) => {
      const own = nodes.filter((node) => classOf(node) === name);
      return { class: name, nodes: own.length, usableNodes: own.filter(isUsableNode).length };
    }),
  };
}

function classOf(node: KubernetesObject): string {
  return node.metadata.labels?.[label.class] ?? 'unknown';
}
