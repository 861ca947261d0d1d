import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ExternalSeen } from './admit-external.ts';
import type { EndpointStatus } from './endpoint-status.ts';
import { ExternalEndpoint } from './external-endpoint.ts';
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
    externals: [],
    routed: ['hosted'],
    answer: 'Replica',
    leftOut: [],
    elsewhere: [],
    path: { route, httpRoute, gateway },
    ...fields,
  };
}

const hosted: ExternalSeen = {
  name: 'hosted',
  weight: 1,
  priority: 1,
  endpoint: ExternalEndpoint.parse({ name: 'hosted', hostname: 'api.vendor.example', modelName: 'large' }),
  isPlaced: true,
  isKeyRefused: false,
  refusal: undefined,
};
const hostedRow: EndpointStatus = { external: 'hosted', hostname: 'api.vendor.example', weight: 1, priority: 1 };
const refused: ExternalSeen = {
  ...hosted,
  endpoint: undefined,
  isPlaced: false,
  refusal: { reason: 'GuardrailRefused', message: 'REFUSED' },
};
const silent: ExternalSeen = { ...refused, refusal: { reason: 'NotObserved', message: 'SILENT' } };
const nowhere = { route: undefined, httpRoute: undefined, gateway };

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
    { endpoints: [], answer: 'Nobody', path: { route: undefined, httpRoute: undefined, gateway } },
    'False',
    'NoEndpoint',
    'Cannot route "team-a/llama": no ModelReplica of "llama" exists, so callers get 404; create the ModelDeployment or fix spec.routes',
  ],
  [
    'no replica exists any more',
    { endpoints: [], answer: 'Nobody' },
    'Unknown',
    'NoEndpoint',
    'Cannot route "team-a/llama": no ModelReplica of "llama" exists; the route stays as it was',
  ],
  [
    'the endpoints have not been fetched',
    { answer: 'Unknown' },
    'Unknown',
    'NotObserved',
    'Cannot route "team-a/llama": the endpoints of its replicas have not been fetched yet',
  ],
  [
    'L33 no replica with weight answers',
    { answer: 'Nobody' },
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
    'L45 a replica runs on another cluster than the gateway',
    { elsewhere: ['pool-0'] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"; "pool-0" runs on another InferenceCluster than the gateway, which does not reach it: route to a gateway of that cluster as an external endpoint',
  ],
  [
    'every replica runs on another cluster than the gateway',
    { answer: 'Nobody', elsewhere: ['llama-0'] },
    'False',
    'NoEndpoint',
    'Cannot route "team-a/llama": no replica with weight has a ready endpoint, so callers get 503; see EngineReady of its ModelReplicas; "llama-0" runs on another InferenceCluster than the gateway, which does not reach it: route to a gateway of that cluster as an external endpoint',
  ],
  [
    'the rule has no room for a replica',
    { leftOut: ['llama-128'] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"; the route has no room for "llama-128": split the replicas over two ModelServices',
  ],
  [
    'L45 a fallback stands behind the replica',
    { endpoints: [reached, hostedRow], externals: [hosted] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"; "hosted" answers when no replica is ready',
  ],
  [
    'a share goes outside',
    { endpoints: [reached, hostedRow], externals: [{ ...hosted, priority: 0 }] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"; a share goes to "hosted", which nobody observes',
  ],
  [
    'L45 S5 no replica is ready and the fallback answers',
    { endpoints: [{ ...reached, weight: 0, routable: false }, hostedRow], externals: [hosted], answer: 'External' },
    'Unknown',
    'ExternalEndpoint',
    'Requests for "team-a/llama" go to the external endpoint "hosted" (api.vendor.example), since no replica is ready before it; whether it answers, and whether its Secret holds a key, is not observed',
  ],
  [
    'the policy with the key of the fallback is refused',
    { endpoints: [hostedRow], externals: [{ ...hosted, isKeyRefused: true }], answer: 'External' },
    'Unknown',
    'ExternalEndpoint',
    'Requests for "team-a/llama" go to the external endpoint "hosted" (api.vendor.example), since no replica is ready before it; whether it answers, and whether its Secret holds a key, is not observed; the BackendSecurityPolicy with the key of "hosted" is not accepted',
  ],
  [
    'S5 no replica is ready and the gateway does not have the fallback yet',
    { endpoints: [hostedRow], externals: [hosted], routed: [], answer: 'External' },
    'Unknown',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": the gateway does not have the latest weights yet',
  ],
  [
    'S5 a replica is ready and the gateway does not have the fallback yet',
    { endpoints: [reached, { ...hostedRow, weight: 0 }], externals: [hosted], routed: [] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"',
  ],
  [
    'the fallback would answer and the gateway refuses the route',
    {
      endpoints: [hostedRow],
      externals: [hosted],
      answer: 'External',
      path: { route: object('AIGatewayRoute', { Accepted: 'False' }), httpRoute, gateway },
    },
    'False',
    'RouteNotAccepted',
    'Cannot route "team-a/llama": its AIGatewayRoute is not accepted',
  ],
  [
    'S6 a replica answers and the platform refuses the fallback',
    { externals: [refused], routed: [] },
    'True',
    'GuardrailRefused',
    'Requests for "team-a/llama" reach "llama-0"; REFUSED',
  ],
  [
    'a replica answers and the gateway does not say what is allowed',
    { externals: [silent], routed: [] },
    'True',
    'Routed',
    'Requests for "team-a/llama" reach "llama-0"; SILENT',
  ],
  [
    'no replica answers and the fallback is refused',
    { externals: [refused], answer: 'Nobody' },
    'False',
    'NoEndpoint',
    'Cannot route "team-a/llama": no replica with weight has a ready endpoint, so callers get 503; see EngineReady of its ModelReplicas; REFUSED',
  ],
  [
    'there is nothing but an endpoint that is refused',
    { deployments: [], endpoints: [], externals: [refused], answer: 'Nobody', path: nowhere },
    'False',
    'GuardrailRefused',
    'Cannot route "team-a/llama": REFUSED',
  ],
  [
    'there is nothing but an endpoint whose objects are on their way',
    { deployments: [], endpoints: [], externals: [{ ...hosted, isPlaced: false }], answer: 'Nobody', path: nowhere },
    'Unknown',
    'NotObserved',
    'Cannot route "team-a/llama": the objects of external endpoint "hosted" do not exist yet',
  ],
  [
    'S1 there is nothing any more and the endpoint that replaced it is refused',
    { endpoints: [], externals: [refused], answer: 'Nobody' },
    'Unknown',
    'GuardrailRefused',
    'Cannot route "team-a/llama": no ModelReplica of "llama" exists; REFUSED; the route stays as it was',
  ],
];

test.each(table)('judgeRoutable says so when %s', (_name, fields, status, reason, message) => {
  expect(judgeRoutable(evidence(fields))).toEqual({ type: 'Routable', status, reason, message });
});
