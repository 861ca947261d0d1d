import { label } from './label.ts';
import type { KubernetesObject } from './object.ts';
import { boundedName } from './resource-name.ts';

/**
 * The Usage by which Crossplane refuses to delete an object, for a reason. It deletes nothing later by itself: an
 * attempt that was refused is not replayed once the protection is taken away.
 */
export function renderUsage({ apiVersion, kind, metadata }: KubernetesObject, reason: string): KubernetesObject {
  const { name = '', namespace } = metadata;
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    // A Usage protects within its namespace; what has none needs one that has none either.
    kind: namespace === undefined ? 'ClusterUsage' : 'Usage',
    metadata: { name: boundedName(`${kind}-${name}`), labels: { [label.managedBy]: 'modelberth' } },
    spec: { of: { apiVersion, kind, resourceRef: { name } }, reason },
  };
}
