import { isRecord, type KubernetesObject, readList, readPath, readString } from '../kubernetes/object.ts';

/** What kubelet says of an image that cannot be had (kubernetes pkg/kubelet/images, read 2026-12-02). */
export const imageReasons: readonly string[] = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
];
/** Reasons of a waiting container that end only when somebody else does something (kubelet of Kubernetes 1.35). */
const blockers = new Set(['CreateContainerConfigError', ...imageReasons]);
/** The longest part of the kubelet's message that a condition repeats, in characters. */
const mostCharacters = 300;

/** Why a container cannot be started: a Secret or an image is not there. Undefined when none waits so. */
export function findBlocked(pods: readonly KubernetesObject[]): string | undefined {
  for (const pod of pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)) {
    const containers = readList(pod, ['status', 'containerStatuses']).filter(isRecord);
    const blocked = containers.find((container) => blockers.has(reasonOf(container)));
    if (blocked !== undefined) return describe(pod, blocked);
  }
  return undefined;
}

function reasonOf(container: Readonly<Record<string, unknown>>): string {
  return readString(container, ['state', 'waiting', 'reason']) ?? '';
}

function describe({ metadata }: KubernetesObject, container: Readonly<Record<string, unknown>>): string {
  const message = (readString(readPath(container, ['state', 'waiting']), ['message']) ?? '').trim();
  const words = message === '' ? reasonOf(container) : message.slice(0, mostCharacters);
  const place = `pod "${metadata.name ?? ''}" in namespace "${metadata.namespace ?? ''}"`;
  return `Cannot start container "${String(container.name)}" of ${place}: ${words}; put what it names there, on the cluster of the engine`;
}
