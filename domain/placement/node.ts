import { isRecord, type KubernetesObject, readList, readPath } from '../kubernetes/object.ts';

/** Label that EKS puts on every node of a managed node group. */
export const nodeGroupLabel = 'eks.amazonaws.com/nodegroup';

/** Label that a cloud provider puts on every node. */
export const zoneLabel = 'topology.kubernetes.io/zone';

/** A node can take an engine when its kubelet says Ready and nobody has cordoned it. */
export function isUsableNode(node: KubernetesObject): boolean {
  if (readPath(node, ['spec', 'unschedulable']) === true) return false;
  const conditions = readList(node, ['status', 'conditions']).filter(isRecord);
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}
