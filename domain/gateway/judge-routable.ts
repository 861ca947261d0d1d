import type { Condition } from '../kubernetes/condition.ts';
import { judgeReadiness, type Readiness } from '../readiness/judge-readiness.ts';
import type { ExternalSeen } from './admit-external.ts';
import { type EndpointStatus, judgeHttpRoute, type RoutePath } from './endpoint-status.ts';
import type { Answer } from './find-answer.ts';
import { listNames } from './list-names.ts';

/** The evidence about one model name. */
export interface RoutableEvidence {
  readonly model: string;
  readonly gateway: string;
  readonly namespace: string;
  /** Whether the gateway serves the namespace. */
  readonly isServed: boolean;
  readonly deployments: readonly string[];
  readonly endpoints: readonly EndpointStatus[];
  /** Every external endpoint of the claim. */
  readonly externals: readonly ExternalSeen[];
  /** Names of those to which the gateway sends requests when their turn comes. */
  readonly routed: readonly string[];
  /** Who answers a request first. */
  readonly answer: Answer;
  /** Replicas for which the route has no room. */
  readonly leftOut: readonly string[];
  /** Replicas on another cluster than the gateway. */
  readonly elsewhere: readonly string[];
  readonly path: RoutePath;
}

/** The condition Routable: whether a request for the model would reach a ready engine, by evidence only (L33). */
export function judgeRoutable(evidence: RoutableEvidence): Condition {
  const { model, gateway, namespace, answer } = evidence;
  const cannot = `Cannot route "${model}"`;
  if (!evidence.isServed) {
    const fix = `add "${namespace}" to its spec.modelNamespaces`;
    return routable(
      'False',
      'RouteNotAccepted',
      `${cannot}: InferenceGateway "${gateway}" does not serve namespace "${namespace}"; ${fix}`,
    );
  }
  if (answer === 'Unknown')
    return routable('Unknown', 'NotObserved', `${cannot}: the endpoints of its replicas have not been fetched yet`);
  if (answer === 'Nobody') return withoutAnswer(evidence);
  const blocked = findBlock(evidence);
  if (blocked !== undefined) return { ...blocked, message: `${cannot}: ${blocked.message}` };
  return answer === 'External' ? outside(evidence) : reached(evidence);
}

/** A replica answers, and what else there is to say. */
function reached(evidence: RoutableEvidence): Condition {
  const { model, endpoints, externals, leftOut, elsewhere } = evidence;
  const names = endpoints.flatMap(({ replica, routable: isRoutable }) => (isRoutable === true ? (replica ?? []) : []));
  if (names.length === 0) return outdated(model);
  const refusals = externals.flatMap(({ refusal }) => refusal ?? []);
  const said = [`Requests for "${model}" reach ${listNames(names)}`, ...fallbacks(evidence)];
  const message = [
    ...said,
    ...refusals.map((refusal) => refusal.message),
    ...outOfReach(elsewhere),
    ...noRoom(leftOut),
  ].join('; ');
  const isRefused = refusals.some(({ reason }) => reason === 'GuardrailRefused');
  return routable('True', isRefused ? 'GuardrailRefused' : 'Routed', message);
}

/** What the external endpoints do beside replicas that answer. */
function fallbacks({ externals, endpoints, routed }: RoutableEvidence): readonly string[] {
  const first = Math.min(...endpoints.filter(({ routable: is }) => is === true).map(({ priority = 0 }) => priority));
  const carrying = externals.filter(({ name }) => routed.includes(name));
  const later = carrying.filter(({ priority }) => priority > first).map(({ name }) => name);
  const beside = carrying.filter(({ priority }) => priority === first).map(({ name }) => name);
  return [
    ...(beside.length === 0 ? [] : [`a share goes to ${listNames(beside)}, which nobody observes`]),
    ...(later.length === 0 ? [] : [`${listNames(later)} answers when no replica is ready`]),
    ...refusedKeys(carrying),
  ];
}

/** An external endpoint answers first: the way there is proven, the endpoint is not (S5). */
function outside({ model, externals, routed: names }: RoutableEvidence): Condition {
  const carrying = externals.filter(({ name, weight }) => weight > 0 && names.includes(name));
  if (carrying.length === 0) return outdated(model);
  const hosts = carrying.map(({ name, endpoint }) => `"${name}" (${endpoint?.hostname ?? ''})`);
  const found = `Requests for "${model}" go to the external endpoint ${hosts.join(', ')}, since no replica is ready before it`;
  const unseen = 'whether it answers, and whether its Secret holds a key, is not observed';
  return routable('Unknown', 'ExternalEndpoint', [found, unseen, ...refusedKeys(carrying)].join('; '));
}

/** What is visible of a key: nothing of its Secret, but whether the policy that names it is refused. */
function refusedKeys(externals: readonly ExternalSeen[]): readonly string[] {
  const names = externals.filter(({ isKeyRefused }) => isKeyRefused).map(({ name }) => name);
  return names.length === 0 ? [] : [`the BackendSecurityPolicy with the key of ${listNames(names)} is not accepted`];
}

function outdated(model: string): Condition {
  const message = `Cannot route "${model}": the gateway does not have the latest weights yet`;
  return routable('Unknown', 'RouteNotAccepted', message);
}

/** Nothing answers: callers get 503, or 404 where there has never been a route. */
function withoutAnswer(evidence: RoutableEvidence): Condition {
  const { model, endpoints, externals, elsewhere } = evidence;
  if (!endpoints.some(({ replica }) => replica !== undefined)) return withoutReplica(evidence);
  const found = 'no replica with weight has a ready endpoint, so callers get 503; see EngineReady of its ModelReplicas';
  const more = [...outOfReach(elsewhere), ...unused(externals)];
  return routable('False', 'NoEndpoint', [`Cannot route "${model}": ${found}`, ...more].join('; '));
}

/** No replica exists: callers get 404 unless an earlier route still stands. */
function withoutReplica({ model, deployments, externals, path }: RoutableEvidence): Condition {
  const none = deployments.length === 0 ? [] : [`no ModelReplica of ${listNames(deployments)} exists`];
  const whyNot = unused(externals);
  const found = `Cannot route "${model}": ${[...none, ...whyNot].join('; ')}`;
  const isRefused = externals.some(({ refusal }) => refusal?.reason === 'GuardrailRefused');
  if (path.route !== undefined)
    return routable('Unknown', isRefused ? 'GuardrailRefused' : 'NoEndpoint', `${found}; the route stays as it was`);
  if (isRefused) return routable('False', 'GuardrailRefused', found);
  if (whyNot.length > 0) return routable('Unknown', 'NotObserved', found);
  return routable('False', 'NoEndpoint', `${found}, so callers get 404; create the ModelDeployment or fix spec.routes`);
}

/** Why each external endpoint that has no requests has none. */
function unused(externals: readonly ExternalSeen[]): readonly string[] {
  return externals.flatMap(({ name, isPlaced, refusal }) => {
    if (refusal !== undefined) return refusal.message;
    return isPlaced ? [] : `the objects of external endpoint "${name}" do not exist yet`;
  });
}

/** The first object on the path of a request that is not proven to let it through. */
function findBlock({ path, gateway }: RoutableEvidence): Condition | undefined {
  const route = path.route === undefined ? 'Unknown' : judgeReadiness(path.route);
  if (route !== 'Ready') return notAccepted(route, 'its AIGatewayRoute is not accepted');
  const httpRoute = judgeHttpRoute(path.httpRoute);
  if (httpRoute !== 'Ready') return notAccepted(httpRoute, 'the HTTPRoute of its AIGatewayRoute is not accepted');
  const programmed = path.gateway === undefined ? 'Unknown' : judgeReadiness(path.gateway);
  if (programmed !== 'Ready')
    return notAccepted(programmed, `the Gateway of InferenceGateway "${gateway}" is not programmed`);
  return undefined;
}

function notAccepted(readiness: Readiness, message: string): Condition {
  if (readiness === 'NotReady') return routable('False', 'RouteNotAccepted', message);
  return routable('Unknown', 'NotObserved', `${message} yet`);
}

function outOfReach(elsewhere: readonly string[]): readonly string[] {
  if (elsewhere.length === 0) return [];
  const found = `${listNames(elsewhere)} runs on another InferenceCluster than the gateway, which does not reach it`;
  return [`${found}: route to a gateway of that cluster as an external endpoint`];
}

function noRoom(leftOut: readonly string[]): readonly string[] {
  if (leftOut.length === 0) return [];
  return [`the route has no room for ${listNames(leftOut)}: split the replicas over two ModelServices`];
}

function routable(status: Condition['status'], reason: Condition['reason'], message: string): Condition {
  return { type: 'Routable', status, reason, message };
}
