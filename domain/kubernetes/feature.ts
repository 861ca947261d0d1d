import { isRecord, type KubernetesObject, readPath } from './object.ts';

/** An optional part of a cluster: the kind that shows it is there, and what to install where it is not. */
export interface Feature {
  readonly apiVersion: string;
  readonly kind: string;
  readonly install: string;
  /** What does not work without it, where a cluster may well do without; unset: nothing does. */
  readonly without?: string;
}

/** Every optional part that Modelberth composes for. Its kinds are emitted only where the cluster says it has it (S8). */
export const features = {
  AIGateway: {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIGatewayRoute',
    install: 'Envoy AI Gateway 1.0 or newer',
  },
  CertManager: { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', install: 'cert-manager 1.15 or newer' },
  DynamicResourceAllocation: {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    install: 'Kubernetes 1.34 or newer, and the DRA driver of the accelerator',
  },
  EnvoyGateway: {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    install: 'Envoy Gateway 1.9 or newer',
  },
  GatewayAPI: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    install: 'the standard channel of Gateway API 1.4 or newer',
  },
  LeaderWorkerSet: {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    install: 'LeaderWorkerSet 0.8 or newer, for models that need several nodes',
    without: 'models that need several nodes are refused',
  },
  PrometheusOperator: {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    install: 'the Prometheus Operator',
    without: 'nothing scrapes the engines and the gateway',
  },
  ProviderAWS: {
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    install: 'provider-aws-eks 2.4 or newer, with NodeGroup activated',
  },
} as const satisfies Record<string, Feature>;

/** What a control plane needs beside them to reach a Remote cluster. */
export const providerKubernetes = {
  apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
  kinds: ['Object', 'ObservedObjectCollection'],
  install: 'provider-kubernetes 1.2 or newer, with Object and ObservedObjectCollection activated',
} as const;

export type FeatureName = keyof typeof features;
export const featureNames = Object.keys(features) as FeatureName[];

/** Reads `status.features` of an InferenceCluster or InferenceGateway: true, false, or undefined while not observed. */
export function hasFeature(owner: KubernetesObject, name: FeatureName): boolean | undefined {
  const published = readPath(owner, ['status', 'features']);
  const value = isRecord(published) ? published[name] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}
