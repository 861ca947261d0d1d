import { label } from '../domain/kubernetes/label.ts';
import { replicaLabel } from '../domain/placement/node-group.ts';
import type { ResourceSelector } from './compose.ts';

/** The pods of one replica, by the label that every pod of it has. */
export function requirePods(replica: { readonly namespace: string; readonly name: string }): ResourceSelector {
  const matchLabels = { [label.replica]: replicaLabel(replica) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    matchLabels,
    ...(replica.namespace === '' ? {} : { namespace: replica.namespace }),
  };
}
