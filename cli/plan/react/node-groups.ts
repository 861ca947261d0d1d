import { annotation } from '../../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readNumber, readPath } from '../../../domain/kubernetes/object.ts';
import { nodeGroupLabel } from '../../../domain/placement/node.ts';
import { identityOf, type World } from '../../crossplane/world.ts';

/**
 * What EKS makes of node groups: one that is raised gets its node at once, one that is parked loses it. A group that was
 * asked before and has no node goes on waiting, since nobody knows when capacity comes.
 */
export function reactNodeGroups(before: World, after: World): World {
  const next = new Map(after);
  for (const [identity, group] of after) {
    if (group.kind === 'NodeGroup' && before.get(identity) !== group)
      resize(next, { identity, group, former: before.get(identity) });
  }
  const gone = [...before].filter(([identity, { kind }]) => kind === 'NodeGroup' && !after.has(identity));
  for (const [, group] of gone) removeNodes(next, group);
  return next;
}

interface Resize {
  readonly identity: string;
  readonly group: KubernetesObject;
  readonly former: KubernetesObject | undefined;
}

function resize(world: Map<string, KubernetesObject>, { identity, group, former }: Resize): void {
  world.set(identity, withSize(group));
  if (sizeOf(group) === 0) removeNodes(world, group);
  else if (sizeOf(former) === 0 && nodesOf(world, group).length === 0) {
    const node = makeNode(group);
    world.set(identityOf(node), node);
  }
}

function removeNodes(world: Map<string, KubernetesObject>, group: KubernetesObject): void {
  for (const node of nodesOf(world, group)) world.delete(identityOf(node));
}

/** Nodes that a group asks for. */
export function sizeOf(group: KubernetesObject | undefined): number {
  return readNumber(group, ['spec', 'forProvider', 'scalingConfig', 'desiredSize']) ?? 0;
}

function nodesOf(world: World, group: KubernetesObject): readonly KubernetesObject[] {
  const name = externalName(group);
  return [...world.values()].filter(
    ({ kind, metadata }) => kind === 'Node' && metadata.labels?.[nodeGroupLabel] === name,
  );
}

function externalName({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[annotation.externalName] ?? metadata.name ?? '';
}

function withSize(group: KubernetesObject): KubernetesObject {
  const status = isRecord(group.status) ? group.status : {};
  const atProvider = isRecord(status.atProvider) ? status.atProvider : { status: 'ACTIVE' };
  const scalingConfig = readPath(group, ['spec', 'forProvider', 'scalingConfig']);
  return { ...group, status: { ...status, atProvider: { ...atProvider, scalingConfig } } };
}

function makeNode(group: KubernetesObject): KubernetesObject {
  const name = externalName(group);
  const labels = readPath(group, ['spec', 'forProvider', 'labels']);
  const [instanceType] = readList(group, ['spec', 'forProvider', 'instanceTypes']);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `${name}-node`,
      labels: {
        ...(isRecord(labels) ? (labels as Record<string, string>) : {}),
        [nodeGroupLabel]: name,
        'kubernetes.io/hostname': `${name}-node`,
        'node.kubernetes.io/instance-type': String(instanceType ?? ''),
      },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
