import { type BackendChoice, chooseBackends, hasReadyEndpoint } from '../../domain/gateway/choose-backends.ts';
import { describeState } from '../../domain/gateway/describe-state.ts';
import { dropBackends } from '../../domain/gateway/drop-backends.ts';
import { listEndpoints, type RoutePath } from '../../domain/gateway/endpoint-status.ts';
import { gatewayObjectName } from '../../domain/gateway/gateway-facts.ts';
import { judgeRoutable } from '../../domain/gateway/judge-routable.ts';
import { modelName } from '../../domain/gateway/model-service-spec.ts';
import { type ServiceFacts, serviceKey } from '../../domain/gateway/routes/service-facts.ts';
import { renderService } from '../../domain/gateway/routes/service-manifests.ts';
import { seeReplicas } from '../../domain/gateway/see-replicas.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { Composed, ComposeRequest, Decision, Freeze, ResourceRow } from '../compose.ts';
import { readService, type ServiceRead } from './read-service.ts';

/** Composes the route of a ModelService and a backend for each of its replicas. */
export function composeModelService(request: ComposeRequest): Decision | Freeze {
  const read = readService(request);
  if ('frozen' in read) return read;
  const { observed } = request;
  const { name, spec, replicas, slices, httpRoute } = read;
  const choice = chooseBackends(spec.routes, seeReplicas({ service: name, replicas, slices, observed }));
  const path: RoutePath = { route: observed.get(serviceKey.route), httpRoute, gateway: read.gateway };
  const endpoints = listEndpoints(name, choice.chosen, path);
  const condition = judgeRoutable({
    model: modelName(read.namespace, name),
    gateway: spec.gatewayName,
    namespace: read.namespace,
    isServed: servesNamespace(read),
    deployments: spec.routes.map(({ deploymentName }) => deploymentName),
    endpoints,
    hasEndpoint: hasReadyEndpoint(choice.chosen),
    leftOut: choice.leftOut,
    path,
  });
  return {
    requirements: read.requirements,
    composed: writeComposed(decideFacts(request.xr, read, choice), condition, observed),
    dropped: dropBackends({ service: name, observed, replicas: replicas.map((replica) => replica.name), httpRoute }),
    planned: choice.chosen.length > 0 || path.route !== undefined ? [] : [plannedRoute(read)],
    status: { endpoints },
    conditions: [condition],
    ready: condition.status === 'True',
  };
}

function servesNamespace({ namespace, gatewaySpec }: ServiceRead): boolean {
  return namespace === gatewaySpec.namespace || gatewaySpec.modelNamespaces.includes(namespace);
}

function decideFacts(xr: KubernetesObject, read: ServiceRead, { chosen }: BackendChoice): ServiceFacts {
  const { name, namespace, spec, gatewaySpec } = read;
  return {
    name,
    namespace,
    createdAt: xr.metadata.creationTimestamp,
    gateway: { name: gatewayObjectName(spec.gatewayName), namespace: gatewaySpec.namespace },
    backends: chosen.map(({ replica, endpoint, weight }) => ({
      replica: replica.name,
      deployment: replica.deployment,
      weight,
      endpoint,
    })),
  };
}

/** The objects of the service; none while it has no replica, so that an earlier route stays as it was (S1). */
function writeComposed(
  facts: ServiceFacts,
  condition: Condition,
  observed: ReadonlyMap<string, KubernetesObject>,
): ReadonlyMap<string, Composed> {
  if (facts.backends.length === 0) return new Map();
  const composed = new Map<string, Composed>();
  for (const [key, object] of renderService(facts)) {
    const state = describeState(observed.get(key));
    const isUnanswered = key === serviceKey.route && condition.reason === 'NoEndpoint';
    const row = isUnanswered ? { ...state, state: 'NoEndpoint' as const, why: 'answers 503: no ready replica' } : state;
    composed.set(key, { object, ...row });
  }
  return composed;
}

function plannedRoute({ name, spec }: ServiceRead): ResourceRow {
  const deployments = spec.routes.map(({ deploymentName }) => `"${deploymentName}"`).join(', ');
  const why = `composed when a replica of ${deployments} exists; callers get 404 until then`;
  return { name, kind: 'AIGatewayRoute', state: 'Planned', why };
}
