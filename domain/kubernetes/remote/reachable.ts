import { isTimestamp, millisBetween, minuteMillis } from '../../units/duration.ts';
import type { Condition, Reason } from '../condition.ts';
import { type KubernetesObject, readString } from '../object.ts';
import type { Access } from './access.ts';
import type { ClusterList } from './observed-list.ts';

/**
 * The leases by which the API servers of a cluster say every ten seconds that they are alive (Kubernetes 1.26 and newer,
 * pkg/controlplane/apiserver/server.go, read 2026-12-02). They tell a cluster without nodes from one that nobody sees,
 * and a provider that has stopped from one with nothing to report.
 */
export const apiServerLeases: ClusterList = {
  name: 'heartbeat',
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  selector: { matchLabels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
  namespace: 'kube-system',
};

/**
 * Minutes without a newer lease after which nothing that is shown counts: several polls of one minute, and less than the
 * ten after which a rung without nodes may be parked.
 */
const staleMinutes = 5;

/** The leases as the provider saw them last, or why they are not known. */
export type LeasesRead =
  | { readonly state: 'Seen'; readonly objects: readonly KubernetesObject[] }
  | { readonly state: 'Held'; readonly reason: Reason; readonly why: string };

/** Whether what is shown of a Remote cluster is what it is now (S7). */
export function reachableCondition(access: Access, leases: LeasesRead, now: Date): Condition {
  const config = `ClusterProviderConfig "${access.providerConfigName ?? ''}"`;
  const cannot = `Cannot see the cluster by ${config}`;
  if (leases.state === 'Held') {
    const { reason, why } = leases;
    if (reason === 'Stale') return stale(`${cannot}: ${why}; nothing changes until that is mended`);
    return notObserved(`Cannot see the cluster yet: ${why}; check that ${config} exists`);
  }
  const renewed = leases.objects.map((lease) => readString(lease, ['spec', 'renewTime'])).filter(isTimestamp);
  if (renewed.length === 0) {
    return notObserved(
      `${cannot}: namespace "kube-system" has no lease of an API server; let the provider list leases there (Kubernetes 1.26 or newer)`,
    );
  }
  if (renewed.some((moment) => millisBetween(moment, now) < staleMinutes * minuteMillis)) {
    const message = `An API server was heard of within ${staleMinutes} minutes, by ${config}`;
    return { type: 'Reachable', status: 'True', reason: 'Answering', message };
  }
  return stale(
    `${cannot}: no API server was heard of within ${staleMinutes} minutes; see that provider-kubernetes runs, with --poll=1m`,
  );
}

function notObserved(message: string): Condition {
  return { type: 'Reachable', status: 'Unknown', reason: 'NotObserved', message };
}

function stale(message: string): Condition {
  return { type: 'Reachable', status: 'False', reason: 'Stale', message };
}
