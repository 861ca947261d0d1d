/**
 * Stands in for provider-kubernetes where there is no cluster: it sees every Remote cluster, finds every optional part
 * there, and nothing of what a replica would run. On the control plane's own cluster the DRA drivers count as installed.
 * What the user says was observed goes before it.
 */
import { drivers } from '../../domain/hardware/vendor.ts';
import { features } from '../../domain/kubernetes/feature.ts';
import { isRecord, type KubernetesObject, readPath, readString } from '../../domain/kubernetes/object.ts';
import { apiServerLeases } from '../../domain/kubernetes/remote/reachable.ts';
import { objectApiVersion } from '../../domain/kubernetes/remote/remote-object.ts';
import { apiServices } from '../../domain/kubernetes/remote/served-apis.ts';
import { formatTimestamp } from '../../domain/units/duration.ts';

/** A moment so long ago that every list has settled. */
const longAgo = '2020-01-01T00:00:00Z';

/** The composed collections as the provider would have them, with their members; nodes and pods are those that are given. */
export function assumeInSight(
  composed: readonly KubernetesObject[],
  given: readonly KubernetesObject[],
  now: Date,
): readonly KubernetesObject[] {
  const nodes = given.filter(({ kind }) => kind === 'Node').map(withHostname);
  const members = [...nodes, ...given.filter(({ kind }) => kind === 'Pod')];
  const collections = composed.filter(({ kind }) => kind === 'ObservedObjectCollection');
  const inSight = collections.flatMap((collection) => [
    { ...collection, status: { conditions: [{ type: 'Synced', status: 'True', lastTransitionTime: longAgo }] } },
    ...[...assumeFound(collection, now), ...findSelected(collection, members)].map((manifest) =>
      toMember(collection, manifest),
    ),
  ]);
  return [...deviceClasses, ...inSight];
}

const deviceClasses: readonly KubernetesObject[] = Object.values(drivers).map((name) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name },
}));

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

/** As a kubelet sets it, unless it is told otherwise. */
function withHostname(node: KubernetesObject): KubernetesObject {
  const { metadata } = node;
  return { ...node, metadata: { ...metadata, labels: { [hostname]: metadata.name ?? '', ...metadata.labels } } };
}
const hostname = 'kubernetes.io/hostname';

/** The given objects that a collection of their kind selects. */
function findSelected(collection: KubernetesObject, members: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const observed = readPath(collection, ['spec', 'observeObjects']);
  const wanted = readPath(observed, ['selector', 'matchLabels']);
  const labels = Object.entries(isRecord(wanted) ? wanted : {});
  return members.filter(
    ({ kind, metadata }) =>
      kind === readString(observed, ['kind']) &&
      metadata.namespace === readString(observed, ['namespace']) &&
      labels.every(([key, value]) => metadata.labels?.[key] === value),
  );
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
