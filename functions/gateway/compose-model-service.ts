import { admitExternals } from '../../domain/gateway/admit-external.ts';
import { readPassedHosts } from '../../domain/gateway/allowed-hosts.ts';
import { type BackendChoice, chooseBackends } from '../../domain/gateway/choose-backends.ts';
import { describeState } from '../../domain/gateway/describe-state.ts';
import { dropBackends } from '../../domain/gateway/drop-backends.ts';
import { listEndpoints, listRoutedExternals, type RoutePath } from '../../domain/gateway/endpoint-status.ts';
import { findAnswer } from '../../domain/gateway/find-answer.ts';
import { gatewayObjectName } from '../../domain/gateway/gateway-facts.ts';
import { judgeRoutable } from '../../domain/gateway/judge-routable.ts';
import { deploymentRoutes, externalRoutes, modelName } from '../../domain/gateway/model-service-spec.ts';
import { type ServiceFacts, serviceKey } from '../../domain/gateway/routes/service-facts.ts';
import { renderService } from '../../domain/gateway/routes/service-manifests.ts';
import { seeReplicas } from '../../domain/gateway/see-replicas.ts';
import type { Condition } from '../../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { Composed, ComposeRequest, Decision, Freeze } from '../compose.ts';
import { planService } from './plan-service.ts';
import { readService, type ServiceRead } from './read-service.ts';

/** Composes the route of a ModelService and a backend for each of its replicas and external endpoints. */
export function composeModelService(request: ComposeRequest): Decision | Freeze {
  const read = readService(request);
  if ('frozen' in read) return read;
  const { observed } = request;
  const { name, spec, replicas, httpRoute } = read;
  const choice = chooseAll(read, observed);
  const path: RoutePath = { route: observed.get(serviceKey.route), httpRoute, gateway: read.gateway };
  const endpoints = listEndpoints(name, choice, path);
  const condition = judgeRoutable({
    model: modelName(read.namespace, name),
    gateway: spec.gatewayName,
    namespace: read.namespace,
    isServed: servesNamespace(read),
    deployments: deploymentRoutes(spec).map(({ deploymentName }) => deploymentName),
    endpoints,
    externals: choice.externals,
    routed: listRoutedExternals(name, choice.externals, path),
    answer: findAnswer(choice),
    leftOut: choice.leftOut,
    elsewhere: choice.chosen.filter(({ isElsewhere }) => isElsewhere).map(({ replica }) => replica.name),
    path,
  });
  const composed = writeComposed(decideFacts(request.xr, read, choice), condition, observed);
  const names = replicas.map((replica) => replica.name);
  return {
    requirements: read.requirements,
    composed,
    dropped: dropBackends({ service: name, observed, replicas: names, externals: choice.externals, httpRoute }),
    planned: planService(read, choice.externals, composed.has(serviceKey.route) || path.route !== undefined),
    status: { endpoints },
    conditions: [condition],
    ready: condition.status === 'True',
  };
}

/** The weights of every replica and of every external endpoint that the platform allows. */
function chooseAll({ name, spec, replicas, slices, ...read }: ServiceRead, observed: ComposeRequest['observed']) {
  return chooseBackends({
    routes: deploymentRoutes(spec),
    seen: seeReplicas({ service: name, cluster: read.gatewaySpec.clusterName, replicas, slices, observed }),
    externals: admitExternals({
      routes: externalRoutes(spec),
      allowed: readPassedHosts(read.inferenceGateway),
      gateway: spec.gatewayName,
      cluster: read.gatewaySpec.clusterName,
      observed,
    }),
  });
}

function servesNamespace({ namespace, gatewaySpec }: ServiceRead): boolean {
  return namespace === gatewaySpec.namespace || gatewaySpec.modelNamespaces.includes(namespace);
}

function decideFacts(xr: KubernetesObject, read: ServiceRead, { chosen, externals }: BackendChoice): ServiceFacts {
  const { name, namespace, spec, gatewaySpec } = read;
  return {
    name,
    namespace,
    createdAt: xr.metadata.creationTimestamp,
    gateway: { name: gatewayObjectName(spec.gatewayName), namespace: gatewaySpec.namespace },
    callerHeader: gatewaySpec.callerHeader,
    backends: chosen.map(({ replica, endpoint, weight, priority }) => ({
      replica: replica.name,
      deployment: replica.deployment,
      weight,
      priority,
      endpoint,
    })),
    externals: externals.flatMap(({ endpoint, ...external }) =>
      endpoint === undefined ? [] : [{ ...external, endpoint }],
    ),
  };
}

/** The objects of the service; no route while nothing may be routed to, so that an earlier one stays as it was (S1). */
function writeComposed(
  facts: ServiceFacts,
  condition: Condition,
  observed: ReadonlyMap<string, KubernetesObject>,
): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  for (const [key, object] of renderService(facts)) {
    const state = describeState(observed.get(key));
    const isUnanswered = key === serviceKey.route && condition.reason === 'NoEndpoint';
    const row = isUnanswered ? { ...state, state: 'NoEndpoint' as const, why: 'answers 503: no ready replica' } : state;
    composed.set(key, { object, ...row });
  }
  return composed;
}
