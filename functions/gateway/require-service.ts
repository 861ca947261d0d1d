import { gatewayObjectName } from '../../domain/gateway/gateway-facts.ts';
import type { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import { deploymentRoutes, type ModelServiceSpec } from '../../domain/gateway/model-service-spec.ts';
import { hasFeature } from '../../domain/kubernetes/feature.ts';
import { apiVersion, label } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { boundedName } from '../../domain/kubernetes/resource-name.ts';
import type { Requirements, ResourceSelector } from '../compose.ts';

/** Names of the requirements that do not depend on a route. */
export const requirementName = {
  gateway: 'gateway',
  httpRoute: 'http-route',
  gatewayObject: 'gateway-object',
} as const;

/** Name of the requirement for the ModelReplicas of a route's deployment. */
export function replicasOf(deployment: string): string {
  return `replicas-${deployment}`;
}

/** Name of the requirement for the EndpointSlices of a route's deployment. */
export function slicesOf(deployment: string): string {
  return `endpoints-${deployment}`;
}

/** What the spec alone asks for: the gateway, and the replicas and endpoints of each route. */
export function requireBySpec(spec: ModelServiceSpec, namespace: string): Requirements {
  const resources: Record<string, ResourceSelector> = {
    [requirementName.gateway]: { apiVersion, kind: 'InferenceGateway', matchName: spec.gatewayName },
  };
  for (const { deploymentName } of deploymentRoutes(spec)) {
    const place = { matchLabels: { [label.deployment]: boundedName(deploymentName) }, namespace };
    resources[replicasOf(deploymentName)] = { apiVersion, kind: 'ModelReplica', ...place };
    resources[slicesOf(deploymentName)] = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...place };
  }
  return { resources };
}

/** The service and its gateway, as the requirements need them. */
export interface RouteParent {
  readonly service: { readonly name: string; readonly namespace: string };
  readonly gateway: KubernetesObject;
  readonly gatewaySpec: InferenceGatewaySpec;
}

/** The route and the Gateway as well, where the gateway says that their kinds exist: core fails on an absent kind (S3). */
export function requireByFeatures(known: Requirements, { service, gateway, gatewaySpec }: RouteParent): Requirements {
  if (hasFeature(gateway, 'GatewayAPI') !== true) return known;
  const gatewayApi = 'gateway.networking.k8s.io/v1';
  const matchName = gatewayObjectName(gateway.metadata.name ?? '');
  return {
    resources: {
      ...known.resources,
      [requirementName.httpRoute]: {
        apiVersion: gatewayApi,
        kind: 'HTTPRoute',
        matchName: service.name,
        namespace: service.namespace,
      },
      [requirementName.gatewayObject]: {
        apiVersion: gatewayApi,
        kind: 'Gateway',
        matchName,
        namespace: gatewaySpec.namespace,
      },
    },
  };
}
