import { passedFeatures } from '../../domain/gateway/gateway-status.ts';
import { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import { listNames } from '../../domain/gateway/list-names.ts';
import {
  type DeploymentRoute,
  deploymentRoutes,
  ModelServiceSpec,
  modelName,
} from '../../domain/gateway/model-service-spec.ts';
import { type Replica, readReplica } from '../../domain/gateway/replica-endpoint.ts';
import type { Condition, Reason } from '../../domain/kubernetes/condition.ts';
import { features, hasFeature } from '../../domain/kubernetes/feature.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ComposeRequest, Freeze, Required, Requirements } from '../compose.ts';
import { readSpec } from '../freeze.ts';
import { replicasOf, requireByFeatures, requireBySpec, requirementName, slicesOf } from './require-service.ts';

/** A ModelService with all that its decision needs. */
export interface ServiceRead {
  readonly name: string;
  readonly namespace: string;
  readonly spec: ModelServiceSpec;
  readonly gatewaySpec: InferenceGatewaySpec;
  readonly inferenceGateway: KubernetesObject;
  readonly replicas: readonly Replica[];
  /** The EndpointSlices of all its replicas; undefined while not all have been fetched. */
  readonly slices: readonly KubernetesObject[] | undefined;
  readonly httpRoute: KubernetesObject | undefined;
  readonly gateway: KubernetesObject | undefined;
  readonly requirements: Requirements;
}

/** Reads a service, its gateway and its replicas, or says why nothing can be decided. */
export function readService(request: ComposeRequest): ServiceRead | Freeze {
  const read = readSpec(request.xr, ModelServiceSpec);
  if (read.state === 'Invalid') return freeze({ resources: {} }, unknown('InvalidSpec', read.why));
  const { spec } = read;
  const { name = '', namespace = '' } = request.xr.metadata;
  const cannot = `Cannot route "${modelName(namespace, name)}"`;
  const known = requireBySpec(spec, namespace);
  const gateway = readInferenceGateway(request.required(requirementName.gateway), spec.gatewayName, cannot);
  if ('reason' in gateway) return freeze(known, gateway);
  const parent = { service: { name, namespace }, gateway: gateway.object, gatewaySpec: gateway.spec };
  const requirements = requireByFeatures(known, parent);
  const routes = deploymentRoutes(spec);
  const replicas = readReplicas(request, routes, cannot);
  if ('reason' in replicas) return freeze(requirements, replicas);
  const lacking = judgeFeatures(gateway.object, cannot);
  if (lacking !== undefined) return freeze(requirements, lacking);
  return {
    name,
    namespace,
    spec,
    gatewaySpec: gateway.spec,
    inferenceGateway: gateway.object,
    replicas,
    slices: readSlices(request, routes),
    httpRoute: firstOf(request.required(requirementName.httpRoute)),
    gateway: firstOf(request.required(requirementName.gatewayObject)),
    requirements,
  };
}

interface GatewayFound {
  readonly object: KubernetesObject;
  readonly spec: InferenceGatewaySpec;
}

function readInferenceGateway(required: Required, name: string, cannot: string): GatewayFound | Condition {
  const subject = `${cannot}: InferenceGateway "${name}"`;
  if (required.state === 'Unresolved') return unknown('WaitingForRequired', `${subject} has not been fetched yet`);
  if (required.state === 'Absent') {
    return unknown('GatewayMissing', `${subject} does not exist; create it, or fix spec.gatewayName`);
  }
  const [object] = required.objects;
  const read = readSpec(object, InferenceGatewaySpec);
  return read.state === 'Valid' ? { object, spec: read.spec } : unknown('GatewayMissing', `${cannot}: ${read.why}`);
}

function readReplicas(
  request: ComposeRequest,
  routes: readonly DeploymentRoute[],
  cannot: string,
): readonly Replica[] | Condition {
  const lists = routes.map((route) => ({
    ...route,
    required: request.required(replicasOf(route.deploymentName)),
  }));
  if (lists.some(({ required }) => required.state === 'Unresolved')) {
    return unknown('WaitingForRequired', `${cannot}: the ModelReplicas of spec.routes have not been fetched yet`);
  }
  const reads = lists.flatMap(({ deploymentName, required }) =>
    objectsOf(required).map((object) => readReplica(object, deploymentName)),
  );
  const unreadable = reads.filter((read) => read.state === 'Unreadable').map(({ why }) => why);
  if (unreadable.length > 0) return unknown('InvalidObserved', unreadable.slice(0, 5).join('; '));
  return reads.filter((read) => read.state === 'Read').map(({ replica }) => replica);
}

function readSlices(
  request: ComposeRequest,
  routes: readonly DeploymentRoute[],
): readonly KubernetesObject[] | undefined {
  const lists = routes.map(({ deploymentName }) => request.required(slicesOf(deploymentName)));
  return lists.some(({ state }) => state === 'Unresolved') ? undefined : lists.flatMap(objectsOf);
}

/** Why the gateway's cluster cannot take routes, or is not known to. */
function judgeFeatures(gateway: KubernetesObject, cannot: string): Condition | undefined {
  const subject = `InferenceGateway "${gateway.metadata.name ?? ''}"`;
  const absent = passedFeatures.filter((feature) => hasFeature(gateway, feature) === false);
  const silent = passedFeatures.filter((feature) => hasFeature(gateway, feature) === undefined);
  if (absent.length > 0) {
    const installs = absent.map((feature) => features[feature].install).join('; ');
    const message = `${cannot}: the cluster of ${subject} lacks ${listNames(absent)}; install ${installs}`;
    return { type: 'Routable', status: 'False', reason: 'Incomplete', message };
  }
  if (silent.length === 0) return undefined;
  const found = `${subject} does not say whether its cluster has ${listNames(silent)}`;
  return unknown('NotObserved', `${cannot}: ${found}; see its condition Secured`);
}

function objectsOf(required: Required): readonly KubernetesObject[] {
  return required.state === 'Present' ? required.objects : [];
}

function firstOf(required: Required): KubernetesObject | undefined {
  return objectsOf(required)[0];
}

function unknown(reason: Reason, message: string): Condition {
  return { type: 'Routable', status: 'Unknown', reason, message };
}

function freeze(requirements: Requirements, condition: Condition): Freeze {
  return { frozen: true, requirements, conditions: [condition] };
}
