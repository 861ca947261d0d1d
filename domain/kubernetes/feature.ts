import { isRecord, type KubernetesObject, readPath } from './object.ts';

/** An optional part of a cluster: the kind that shows it is there, and what to install where it is not. */
export interface Feature {
  readonly apiVersion: string;
  readonly kind: string;
  readonly install: string;
  /** What does not work without it, where a cluster may well do without; unset: no replica runs. */
  readonly without?: string;
  /** Oldest version that will do, as two numbers. */
  readonly oldest?: readonly [major: number, minor: number];
  /** The Deployment by whose image its version is known, as its chart names it (read 2026-12-02). */
  readonly controller?: { readonly namespace: string; readonly name: string };
}

const noGateway = 'gateways get no address';

/** Every optional part that Modelberth composes for. Its kinds are emitted only where the cluster says it has it (S8). */
export const features = {
  AIGateway: {
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kind: 'AIGatewayRoute',
    install: 'Envoy AI Gateway 1.0 or newer',
    without: noGateway,
    oldest: [1, 0],
    controller: { namespace: 'envoy-ai-gateway-system', name: 'ai-gateway-controller' },
  },
  AWSLoadBalancerController: {
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'TargetGroupBinding',
    install: 'AWS Load Balancer Controller 2.9 or newer',
    without: 'gateways get no load balancer',
    oldest: [2, 9],
    controller: { namespace: 'kube-system', name: 'aws-load-balancer-controller' },
  },
  CertManager: {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    install: 'cert-manager 1.15 or newer',
    without: 'gateways get no certificate from an issuer',
    oldest: [1, 15],
    controller: { namespace: 'cert-manager', name: 'cert-manager' },
  },
  DynamicResourceAllocation: {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    install: 'Kubernetes 1.34 or newer, and the DRA driver of the accelerator',
  },
  EnvoyGateway: {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    install: 'Envoy Gateway 1.9 or newer',
    without: noGateway,
    oldest: [1, 9],
    controller: { namespace: 'envoy-gateway-system', name: 'envoy-gateway' },
  },
  GatewayAPI: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    install: 'the standard channel of Gateway API 1.4 or newer',
    without: noGateway,
  },
  KEDA: {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    install: 'KEDA 2.16 or newer',
    without: 'no signal scales a ModelDeployment',
    oldest: [2, 16],
    controller: { namespace: 'keda', name: 'keda-operator' },
  },
  LeaderWorkerSet: {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    install: 'LeaderWorkerSet 0.8 or newer, for models that need several nodes',
    without: 'models that need several nodes are refused',
    oldest: [0, 8],
    controller: { namespace: 'lws-system', name: 'lws-controller-manager' },
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
