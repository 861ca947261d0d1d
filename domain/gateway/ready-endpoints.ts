import { isRecord, type KubernetesObject, readList, readPath } from '../kubernetes/object.ts';

/** Label by which an EndpointSlice names its Service (Kubernetes discovery.k8s.io/v1). */
const serviceNameLabel = 'kubernetes.io/service-name';

/** Names of the Services that have at least one ready endpoint. */
export function listReadyServices(slices: readonly KubernetesObject[]): ReadonlySet<string> {
  const ready = slices.filter((slice) => readList(slice, ['endpoints']).some(isReady));
  return new Set(ready.map((slice) => slice.metadata.labels?.[serviceNameLabel] ?? ''));
}

/** An endpoint whose readiness is not said is ready, by the definition of the API. */
function isReady(endpoint: unknown): boolean {
  if (!isRecord(endpoint) || readList(endpoint, ['addresses']).length === 0) return false;
  return readPath(endpoint, ['conditions', 'ready']) !== false;
}
