/** What a live state is made of: kinds, and how kubectl calls them. */
export const liveKinds: Readonly<Record<string, string>> = {
  InferenceClass: 'inferenceclasses.modelberth.dev',
  InferenceCluster: 'inferenceclusters.modelberth.dev',
  InferenceGateway: 'inferencegateways.modelberth.dev',
  ModelDeployment: 'modeldeployments.modelberth.dev',
  ModelReplica: 'modelreplicas.modelberth.dev',
  ModelService: 'modelservices.modelberth.dev',
  NodeGroup: 'nodegroups.eks.aws.m.upbound.io',
  LaunchTemplate: 'launchtemplates.ec2.aws.m.upbound.io',
  Node: 'nodes',
  Pod: 'pods',
  Deployment: 'deployments.apps',
  LeaderWorkerSet: 'leaderworkersets.leaderworkerset.x-k8s.io',
  Job: 'jobs.batch',
  ControllerRevision: 'controllerrevisions.apps',
  ResourceClaimTemplate: 'resourceclaimtemplates.resource.k8s.io',
  Service: 'services',
  EndpointSlice: 'endpointslices.discovery.k8s.io',
  NetworkPolicy: 'networkpolicies.networking.k8s.io',
  PodDisruptionBudget: 'poddisruptionbudgets.policy',
  PodMonitor: 'podmonitors.monitoring.coreos.com',
  Gateway: 'gateways.gateway.networking.k8s.io',
  GatewayClass: 'gatewayclasses.gateway.networking.k8s.io',
  HTTPRoute: 'httproutes.gateway.networking.k8s.io',
  AIGatewayRoute: 'aigatewayroutes.aigateway.envoyproxy.io',
  AIServiceBackend: 'aiservicebackends.aigateway.envoyproxy.io',
  BackendSecurityPolicy: 'backendsecuritypolicies.aigateway.envoyproxy.io',
  GatewayConfig: 'gatewayconfigs.aigateway.envoyproxy.io',
  Backend: 'backends.gateway.envoyproxy.io',
  BackendTrafficPolicy: 'backendtrafficpolicies.gateway.envoyproxy.io',
  ClientTrafficPolicy: 'clienttrafficpolicies.gateway.envoyproxy.io',
  EnvoyProxy: 'envoyproxies.gateway.envoyproxy.io',
  SecurityPolicy: 'securitypolicies.gateway.envoyproxy.io',
  Certificate: 'certificates.cert-manager.io',
  Usage: 'usages.protection.crossplane.io',
  ClusterUsage: 'clusterusages.protection.crossplane.io',
  Object: 'objects.kubernetes.m.crossplane.io',
  ObservedObjectCollection: 'observedobjectcollections.kubernetes.m.crossplane.io',
};

/** How to write a live state out; kinds that a cluster does not have are left out of the list. */
export function kubectlFor(kinds: readonly string[]): string {
  const resources = kinds.map((kind) => liveKinds[kind] ?? kind.toLowerCase());
  return `kubectl get --all-namespaces -o yaml ${resources.join(',')}`;
}
