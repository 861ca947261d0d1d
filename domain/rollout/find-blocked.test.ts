import { expect, test } from 'vitest';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/object.ts';
import { findBlocked } from './find-blocked.ts';

function pod(waiting: unknown, metadata: ObjectMeta = {}): KubernetesObject {
  const status = { containerStatuses: [{ name: 'engine', state: { waiting } }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'llama-0-x', namespace: 'hub-chat', ...metadata }, status };
}

const noSecret = { reason: 'CreateContainerConfigError', message: 'secret "hub" not found' };

const rows: readonly [string, readonly KubernetesObject[], string | undefined][] = [
  [
    'a Secret that is not on the cluster, with the namespace to put it into',
    [pod(noSecret)],
    'Cannot start container "engine" of pod "llama-0-x" in namespace "hub-chat": secret "hub" not found; put what it names there, on the cluster of the engine',
  ],
  [
    'an image that cannot be pulled, by the reason where there is no message',
    [pod({ reason: 'ImagePullBackOff' })],
    'Cannot start container "engine" of pod "llama-0-x" in namespace "hub-chat": ImagePullBackOff; put what it names there, on the cluster of the engine',
  ],
  ['nothing while a container is only being created', [pod({ reason: 'ContainerCreating' })], undefined],
  ['nothing of a pod that is being deleted', [pod(noSecret, { deletionTimestamp: '2026-12-01T12:00:00Z' })], undefined],
  ['nothing where the status cannot be read', [{ ...pod(noSecret), status: 'unreadable' }], undefined],
  ['nothing without pods', [], undefined],
];

test.each(rows)('S5 L44 findBlocked names %s', (_name, pods, blocked) => {
  expect(findBlocked(pods)).toBe(blocked);
});
