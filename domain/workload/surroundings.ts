import { enginePort } from '../engine/engine-port.ts';
import { group, label } from '../kubernetes/label.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { serviceName } from './service-name.ts';

/** What the objects around a workload are made from; they are rendered on each pass, whatever the revision. */
export interface SurroundingsQuestion {
  readonly replica: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  /** Namespaces of the gateway's proxies and of the metrics scraper. */
  readonly namespaces: { readonly gateway: string; readonly monitoring: string };
  /** Whether the Service still selects the pods. */
  readonly isDetached: boolean;
  /** Whether that is so since its revision has to prove itself first. */
  readonly isHeldBack?: boolean;
}

/** Only the pod that answers requests is an endpoint; the workers of a gang listen to nobody. */
const answering = { [label.role]: 'leader' };

/** A label that no pod has: with it a selector selects nothing. */
const detached = { [`${group}/detached`]: 'true' };

/** The headless Service by which the gateway reaches each ready pod; it selects none once the replica is detached. */
export function renderService({ replica, labels, selector, isDetached }: SurroundingsQuestion): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: serviceName(replica), labels },
    spec: {
      clusterIP: 'None',
      selector: { ...selector, ...answering, ...(isDetached ? detached : {}) },
      ports: [{ name: 'http', port: enginePort, targetPort: 'http', protocol: 'TCP' }],
    },
  };
}

/**
 * Who may reach the engine: the gateway's proxies, the metrics scraper, and the pods of the same replica. A request
 * straight to a pod once caused an out-of-memory that no gateway log showed (L31). A pod's labels alone admit nobody:
 * whoever may create pods can write them.
 */
export function renderNetworkPolicy({ replica, labels, selector, namespaces }: SurroundingsQuestion): KubernetesObject {
  const proxies = { 'app.kubernetes.io/component': 'proxy', 'app.kubernetes.io/managed-by': 'envoy-gateway' };
  const from = [
    podsIn(namespaces.gateway, proxies),
    podsIn(namespaces.monitoring, { 'app.kubernetes.io/name': 'prometheus' }),
  ];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: replica, labels },
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress'],
      ingress: [
        { from, ports: [{ port: 'http', protocol: 'TCP' }] },
        { from: [{ podSelector: { matchLabels: selector } }] },
      ],
    },
  };
}

function podsIn(namespace: string, matchLabels: Readonly<Record<string, string>>): Record<string, unknown> {
  return {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    podSelector: { matchLabels },
  };
}

/** Scrapes the engine's metrics with labels that join model, replica and class (L37). */
export function renderPodMonitor({ replica, labels, selector }: SurroundingsQuestion): KubernetesObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: replica, labels },
    spec: {
      selector: { matchLabels: selector },
      podTargetLabels: [label.class, label.deployment, label.replica, label.revision],
      podMetricsEndpoints: [{ port: 'http', path: '/metrics', interval: '15s' }],
    },
  };
}

/**
 * Lets one pod go at a time and never blocks the eviction of a broken one. Stricter would only hold a node update until
 * EKS fails it after 15 minutes, since a replica is one pod (aws.md E3).
 */
export function renderPodDisruptionBudget({ replica, labels, selector }: SurroundingsQuestion): KubernetesObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: replica, labels },
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: selector } },
  };
}
