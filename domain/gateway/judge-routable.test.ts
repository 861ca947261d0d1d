import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { EndpointStatus } from './endpoint-status.ts';
import { judgeRoutable, type RoutableEvidence } from './judge-routable.ts';

function object(
  kind: string,
  types: Readonly<Record<string, string>>,
  fields: Record<string, unknown> = {},
): KubernetesObject {
  const conditions = Object.entries(types).map(([type, status]) => ({ type, status, observedGeneration: 2 }));
  const status = kind === 'HTTPRoute' ? { parents: [{ conditions }] } : { conditions };
  return { apiVersion: 'v1', kind, metadata: { name: 'llama', generation: 2 }, status, ...fields };
}

const route = object('AIGatewayRoute', { Accepted: 'True' });
const httpRoute = object('HTTPRoute', { Accepted: 'True', ResolvedRefs: 'True' });
const gateway = object('Gateway', { Programmed: 'True' });
const reached: EndpointStatus = { replica: 'llama-0', weight: 1, routable: true };

function evidence(fields: Partial<RoutableEvidence>): RoutableEvidence {
  const base = { model: 'team-a/llama', gateway: 'main', namespace: 'team-a', isServed: true, deployments: ['llama'] };
  return {
    ...base,
    endpoints: [reached],
    hasEndpoint: true,
    leftOut: [],
    path: { route, httpRoute, gateway },
    ...fields,
  };
}

const table: readonly [string, Partial<RoutableEvidence>, string, string, string][] = [
  [
    'the gateway does not serve the namespace',
    { isServed: false },
    'False',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": InferenceGateway "main" does not serve namespace "team-a"; add "team-a" to its spec.modelNamespaces',
  ],
  [
    'no replica exists',
    { endpoints: [], path: { route: undefined, httpRoute: undefined, gateway } },
    'False',
    'NoEndpoint',
    'Cannot route "team-a/llama": no ModelReplica of "llama" exists, so callers get 404; create the ModelDeployment or fix spec.routes',
  ],
  [
    'no replica exists any more',
    { endpoints: [] },
    'Unknown',
    'NoEndpoint',
    'Cannot route "team-a/llama": no ModelReplica of "llama" exists; the route stays as it was',
  ],
  [
    'the endpoints have not been fetched',
    { hasEndpoint: undefined },
    'Unknown',
    'NotObserved',
    'Cannot route "team-a/llama": the endpoints of its replicas have not been fetched yet',
  ],
  [
    'L33 no replica with weight answers',
    { hasEndpoint: false },
    'False',
    'NoEndpoint',
    'Cannot route "team-a/llama": no replica with weight has a ready endpoint, so callers get 503; see EngineReady of its ModelReplicas',
  ],
  [
    'the AI gateway has refused the route',
    { path: { route: object('AIGatewayRoute', { Accepted: 'False' }), httpRoute, gateway } },
    'False',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": its AIGatewayRoute is not accepted',
  ],
  [
    'L33 the HTTPRoute has not been made',
    { path: { route, httpRoute: undefined, gateway } },
    'Unknown',
    'NotObserved',
    'Cannot route "team-a/llama": the HTTPRoute of its AIGatewayRoute is not accepted yet',
  ],
  [
    'a backend of the HTTPRoute is not found',
    { path: { route, httpRoute: object('HTTPRoute', { Accepted: 'True', ResolvedRefs: 'False' }), gateway } },
    'False',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": the HTTPRoute of its AIGatewayRoute is not accepted',
  ],
  [
    'L33 the HTTPRoute was accepted for an older generation',
    { path: { route, httpRoute: { ...httpRoute, metadata: { name: 'llama', generation: 3 } }, gateway } },
    'Unknown',
    'NotObserved',
    'Cannot route "team-a/llama": the HTTPRoute of its AIGatewayRoute is not accepted yet',
  ],
  [
    'Envoy does not serve the Gateway',
    { path: { route, httpRoute, gateway: object('Gateway', { Programmed: 'False' }) } },
    'False',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": the Gateway of InferenceGateway "main" is not programmed',
  ],
  [
    'the Gateway has not been fetched',
    { path: { route, httpRoute, gateway: undefined } },
    'Unknown',
    'NotObserved',
    'Cannot route "team-a/llama": the Gateway of InferenceGateway "main" is not programmed yet',
  ],
  [
    'L33 the replica that answers has no weight at the gateway yet',
    { endpoints: [{ replica: 'llama-0', weight: 0, routable: false }] },
    'Unknown',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": the gateway does not have the latest weights yet',
  ],
  ['everything is proven', {}, 'True', 'Routed', 'Requests for "team-a/llama" reach "llama-0"'],
  [
    'the rule has no room for a replica',
    { leftOut: ['llama-128'] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"; the route has no room for "llama-128": split the replicas over two ModelServices',
  ],
];

test.each(table)('judgeRoutable says so when %s', (_name, fields, status, reason, message) => {
  expect(judgeRoutable(evidence(fields))).toEqual({ type: 'Routable', status, reason, message });
});
