/**
 * A ModelReplica at two moments of its life. It grows by nodes, each with its node group and its pod, as a gang does:
 * nothing else of a replica grows without bound. All groups share the one rung of the golden case.
 */
import { annotation, compositionResourceName } from '../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readPath } from '../domain/kubernetes/object.ts';
import { nodeGroupLabel } from '../domain/placement/node.ts';
import { asStored } from './bench-as-stored.ts';
import { asReported } from './bench-node.ts';
import { renderAnew } from './bench-pass.ts';
import { firstOf, readGoldenCase, type Scene } from './bench-scene.ts';

/** What of a young replica there is: the classes that it may use, and the kinds of its composed resources. */
export interface Youth {
  readonly classes: readonly string[];
  readonly observed: readonly string[];
}

/**
 * Its node has joined before the provider reported on the group, and its own status is not written yet: of all passes
 * in which every step decides something, the one with the smallest requests.
 */
export function youngReplica(youth: Youth): Scene {
  const { xr, observed, required } = readGoldenCase('replica/5-node-joined');
  const spec = isRecord(xr.spec) ? xr.spec : {};
  return {
    xr: withoutStatus({ ...xr, spec: { ...spec, placement: { classes: youth.classes } } }),
    observed: observed.filter(({ kind }) => youth.observed.includes(kind)).map(withoutStatus),
    required,
  };
}

function withoutStatus(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, status: _status, ...content } = object;
  return { apiVersion, kind, metadata, ...content };
}

/** Its engine answers. `growth` counts the objects of further nodes: group, node, pod, group, and so on. */
export async function servingReplica(growth: number): Promise<Scene> {
  const golden = readGoldenCase('replica/7-engine-ready');
  const { xr, observed, required } = await renderAnew(golden, golden.observed);
  const group = firstOf(observed, 'NodeGroup');
  const node = firstOf(required, 'Node');
  const pod = podOf(firstOf(observed, 'Deployment'), firstOf(required, 'Pod'));
  const groups = copies((growth + 2) / 3, (number) => furtherGroup(group, number));
  const nodes = copies((growth + 1) / 3, (number) => furtherNode(node, groupName(group, number), number));
  const pods = copies(growth / 3, (number) => ({ ...pod, metadata: { ...pod.metadata, name: `llama-0-${number}` } }));
  const platform = required.filter(({ kind }) => kind !== 'Node' && kind !== 'Pod');
  return {
    xr: asStored(xr, 'kubectl'),
    observed: [...observed, ...groups].map((object) => asStored(object)),
    required: [
      ...platform.map((object) => asStored(object, 'kubectl')),
      ...[node, ...nodes].map(asReported),
      ...[pod, ...pods].map((object) => asStored(object, 'kube-controller-manager')),
    ],
  };
}

function copies<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: Math.floor(count) }, (_, index) => make(index + 1));
}

/** The pod as its Deployment makes it today. */
function podOf(deployment: KubernetesObject, pod: KubernetesObject): KubernetesObject {
  const { labels } = deployment.metadata;
  const spec = readPath(deployment, ['spec', 'template', 'spec']);
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } }, spec };
}

function groupName({ metadata }: KubernetesObject, number: number): string {
  return `${metadata.name ?? ''}-${number}`;
}

function furtherGroup(group: KubernetesObject, number: number): KubernetesObject {
  const name = groupName(group, number);
  const annotations = {
    ...group.metadata.annotations,
    [annotation.externalName]: name,
    [compositionResourceName]: `pool-${name}`,
  };
  return { ...group, metadata: { ...group.metadata, name, annotations } };
}

function furtherNode(node: KubernetesObject, ownGroup: string, number: number): KubernetesObject {
  const name = `ip-10-0-${Math.floor(number / 250) + 2}-${(number % 250) + 1}.eu-west-1.compute.internal`;
  const labels = { ...node.metadata.labels, [nodeGroupLabel]: ownGroup };
  return { ...node, metadata: { ...node.metadata, name, labels } };
}
