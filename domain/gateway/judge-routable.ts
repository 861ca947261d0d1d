import type { Condition } from '../kubernetes/condition.ts';
import { judgeReadiness, type Readiness } from '../readiness/judge-readiness.ts';
import { type EndpointStatus, judgeHttpRoute, type RoutePath } from './endpoint-status.ts';
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
  /** Whether a replica with weight has a ready endpoint; undefined while the endpoints have not been fetched. */
  readonly hasEndpoint: boolean | undefined;
  /** Replicas for which the route has no room. */
  readonly leftOut: readonly string[];
  readonly path: RoutePath;
}

/** The condition Routable: whether a request for the model would reach a ready engine, by evidence only (L33). */
export function judgeRoutable(evidence: RoutableEvidence): Condition {
  const { model, gateway, namespace, hasEndpoint } = evidence;
  const cannot = `Cannot route "${model}"`;
  if (!evidence.isServed) {
    const fix = `add "${namespace}" to its spec.modelNamespaces`;
    return routable(
      'False',
      'RouteNotAccepted',
      `${cannot}: InferenceGateway "${gateway}" does not serve namespace "${namespace}"; ${fix}`,
    );
  }
  if (evidence.endpoints.length === 0) return withoutReplica(evidence);
  if (hasEndpoint === undefined)
    return routable('Unknown', 'NotObserved', `${cannot}: the endpoints of its replicas have not been fetched yet`);
  if (!hasEndpoint) {
    return routable(
      'False',
      'NoEndpoint',
      `${cannot}: no replica with weight has a ready endpoint, so callers get 503; see EngineReady of its ModelReplicas`,
    );
  }
  const blocked = findBlock(evidence);
  if (blocked !== undefined) return { ...blocked, message: `${cannot}: ${blocked.message}` };
  const reached = evidence.endpoints.filter((endpoint) => endpoint.routable).map(({ replica }) => replica);
  if (reached.length === 0)
    return routable('Unknown', 'RouteNotAccepted', `${cannot}: the gateway does not have the latest weights yet`);
  return routable('True', 'Routed', `Requests for "${model}" reach ${listNames(reached)}${noRoom(evidence.leftOut)}`);
}

/** No replica exists: callers get 404 unless an earlier route still stands. */
function withoutReplica({ model, deployments, path }: RoutableEvidence): Condition {
  const found = `Cannot route "${model}": no ModelReplica of ${listNames(deployments)} exists`;
  if (path.route !== undefined) return routable('Unknown', 'NoEndpoint', `${found}; the route stays as it was`);
  return routable('False', 'NoEndpoint', `${found}, so callers get 404; create the ModelDeployment or fix spec.routes`);
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

function noRoom(leftOut: readonly string[]): string {
  return leftOut.length === 0
    ? ''
    : `; the route has no room for ${listNames(leftOut)}: split the replicas over two ModelServices`;
}

function routable(status: Condition['status'], reason: Condition['reason'], message: string): Condition {
  return { type: 'Routable', status, reason, message };
}
