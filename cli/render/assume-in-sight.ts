/**
 * Stands in for provider-kubernetes where there is no cluster: it sees every Remote cluster, finds every optional part
 * there, and nothing of what a replica would run. What the user says was observed goes before it.
 */
import { features } from '../../domain/kubernetes/feature.ts';
import { type KubernetesObject, readPath, readString } from '../../domain/kubernetes/object.ts';
import { apiServerLeases } from '../../domain/kubernetes/remote/reachable.ts';
import { objectApiVersion } from '../../domain/kubernetes/remote/remote-object.ts';
import { apiServices } from '../../domain/kubernetes/remote/served-apis.ts';
import { formatTimestamp } from '../../domain/units/duration.ts';

/** A moment so long ago that every list has settled. */
const longAgo = '2020-01-01T00:00:00Z';

/** The composed collections as the provider would have them, with their members. */
export function assumeInSight(composed: readonly KubernetesObject[], now: Date): readonly KubernetesObject[] {
  const collections = composed.filter(({ kind }) => kind === 'ObservedObjectCollection');
  return collections.flatMap((collection) => [
    { ...collection, status: { conditions: [{ type: 'Synced', status: 'True', lastTransitionTime: longAgo }] } },
    ...assumeFound(collection, now).map((manifest) => toMember(collection, manifest)),
  ]);
}

/** What a collection would find: the leases and APIs of a cluster that has everything. */
function assumeFound(collection: KubernetesObject, now: Date): readonly KubernetesObject[] {
  const kind = readString(collection, ['spec', 'observeObjects', 'kind']);
  if (kind === apiServerLeases.kind) {
    const metadata = { name: 'apiserver', namespace: apiServerLeases.namespace ?? '' };
    return [{ apiVersion: apiServerLeases.apiVersion, kind, metadata, spec: { renewTime: formatTimestamp(now) } }];
  }
  if (kind !== apiServices.kind) return [];
  return Object.values(features).map(({ apiVersion }) => {
    const [group = '', version = ''] = apiVersion.split('/');
    return { apiVersion: apiServices.apiVersion, kind, metadata: { name: `${version}.${group}` } };
  });
}

function toMember(collection: KubernetesObject, manifest: KubernetesObject): KubernetesObject {
  const { name = '', namespace } = collection.metadata;
  const labels = readPath(collection, ['spec', 'objectTemplate', 'metadata', 'labels']) as Record<string, string>;
  return {
    apiVersion: objectApiVersion,
    kind: 'Object',
    metadata: { name: `${name}-${manifest.metadata.name}`, ...(namespace === undefined ? {} : { namespace }), labels },
    status: { atProvider: { manifest } },
  };
}
