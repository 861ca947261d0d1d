import type { KubernetesObject } from '../object.ts';
import type { ClusterList } from './observed-list.ts';

/**
 * The API groups and versions that a cluster serves: it registers an APIService for each, of its own and of every CRD
 * (kube-aggregator 0.35.1 autoregister_controller.go, read 2026-12-02). They are small, where CRDs are up to a megabyte.
 * A group that is there counts with all its kinds: the projects that Modelberth composes for install them together.
 */
export const apiServices: ClusterList = {
  name: 'apis',
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  selector: { matchExpressions: [{ key: 'kube-aggregator.kubernetes.io/automanaged', operator: 'Exists' }] },
};

/** Tells whether a cluster serves an API version such as `leaderworkerset.x-k8s.io/v1`. */
export function servesApi(services: readonly KubernetesObject[], apiVersion: string): boolean {
  const [group = '', version = ''] = apiVersion.split('/');
  return services.some(({ metadata }) => metadata.name === `${version}.${group}`);
}
