import { type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';
import { contains } from './contains.ts';

/**
 * Fields that cannot be edited in place. NodeGroup: provider-aws refuses such an edit for ever, and another external name
 * is another group: the old one goes with its nodes (ForceNew of aws_eks_node_group, upjet; read 2026-12-01). The others
 * are immutable, so the object has to be deleted and made again.
 */
const forceNewFields: Readonly<Record<string, readonly (readonly string[])[]>> = {
  NodeGroup: [
    ...[
      'amiType',
      'capacityType',
      'clusterName',
      'diskSize',
      'instanceTypes',
      'launchTemplate',
      'nodeRoleArn',
      'region',
      'subnetIds',
    ].map((field) => ['spec', 'forProvider', field]),
    ['metadata', 'annotations', 'crossplane.io/external-name'],
  ],
  ControllerRevision: [['data']],
  Deployment: [['spec', 'selector']],
  ResourceClaimTemplate: [['spec']],
  Service: [['spec', 'clusterIP']],
};

/** Fields of an edited object that cannot change in place, as a person would write them. */
export function forceNewOf(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  const fields = forceNewFields[after.kind] ?? [];
  return fields
    .filter((path) => {
      const wanted = readPath(after, path);
      return wanted === undefined
        ? readPath(before, path) !== undefined && path[0] !== 'spec'
        : !contains(readPath(before, path), wanted);
    })
    .map((path) => path.join('.'));
}
