import { describe, expect, test } from 'vitest';
import type { GatewayFacts } from '../../domain/gateway/gateway-facts.ts';
import { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import { backendTraffic } from '../../domain/gateway/manifests/backend-traffic.ts';
import { clientTraffic } from '../../domain/gateway/manifests/client-traffic.ts';
import { envoyProxy } from '../../domain/gateway/manifests/envoy-proxy.ts';
import { renderAiGatewayRoute } from '../../domain/gateway/routes/ai-gateway-route.ts';
import { renderServiceTraffic } from '../../domain/gateway/routes/service-traffic.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import { explainStream } from './explain-stream.ts';
import type { StreamPath } from './read-limits.ts';

const spec = InferenceGatewaySpec.parse({
  clusterName: 'europe',
  hostnames: { api: 'api.example.com' },
  tls: { type: 'Secret', secretName: 'tls' },
  loadBalancer: { idleTimeoutSeconds: 900 },
  streamIdleSeconds: 1800,
});
const facts: GatewayFacts = { name: 'inference', spec, serviceType: 'LoadBalancer', keySecrets: [], nobodyKey: '' };
const gateway = [envoyProxy.render(facts), clientTraffic.render(facts), backendTraffic.render(facts)];
const gatewayXr: KubernetesObject = { apiVersion, kind: 'InferenceGateway', metadata: { name: 'inference' }, spec };
const serviceFacts = {
  name: 'llama',
  namespace: 'chat',
  createdAt: undefined,
  gateway: { name: 'inference', namespace: 'modelberth-gateway' },
  callerHeader: 'x-modelberth-caller',
  backends: [
    {
      replica: 'llama-0',
      deployment: 'llama',
      weight: 1,
      priority: 0,
      endpoint: { service: 'llama-0', port: 8000, protocols: ['OpenAI' as const] },
    },
  ],
  externals: [],
};
const service = [renderAiGatewayRoute(serviceFacts), renderServiceTraffic(serviceFacts)];

function engine(kind: string, path: string, seconds: number): KubernetesObject {
  const pod = { spec: { terminationGracePeriodSeconds: seconds } };
  const spec = path === 'template' ? { template: pod } : { leaderWorkerTemplate: { [path]: pod } };
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'llama-0' }, spec };
}

const full: StreamPath = { service, gateway, gatewayXr, replicas: [engine('Deployment', 'template', 3660)] };

test('L23 L24 explainStream reads every limit from the object that sets it, in the order of the path', () => {
  expect(explainStream(full)).toEqual({
    hops: [
      {
        hop: 'load balancer',
        limits: 'Silence',
        state: 'Rendered',
        seconds: 900,
        setBy: 'EnvoyProxy/inference annotation aws-load-balancer-listener-attributes.TCP-443',
      },
      {
        hop: 'gateway pods',
        limits: 'Drain',
        state: 'Rendered',
        seconds: 3600,
        setBy: 'EnvoyProxy/inference spec.shutdown.drainTimeout',
      },
      {
        hop: 'listener',
        limits: 'Silence',
        state: 'Rendered',
        seconds: 1800,
        setBy: 'ClientTrafficPolicy/inference spec.timeout.http.streamIdleTimeout',
      },
      {
        hop: 'route',
        limits: 'Whole',
        state: 'Rendered',
        setBy: 'AIGatewayRoute/llama spec.rules[0].timeouts.request',
      },
      {
        hop: 'policy',
        limits: 'Silence',
        state: 'Rendered',
        seconds: 1800,
        setBy: 'BackendTrafficPolicy/inference spec.timeout.http.streamIdleTimeout',
      },
      {
        hop: 'engine',
        limits: 'Drain',
        state: 'Rendered',
        seconds: 3660,
        setBy: 'Deployment/llama-0 spec.template.spec.terminationGracePeriodSeconds',
      },
    ],
    smallest: [
      { limits: 'Silence', seconds: 900, hops: ['load balancer'] },
      { limits: 'Drain', seconds: 3600, hops: ['gateway pods'] },
    ],
    unknown: [],
  });
});

/** The same object with another value at a path. */
function withValue(object: unknown, [part, ...rest]: readonly string[], value: unknown): KubernetesObject {
  const fields = isRecord(object) ? object : {};
  const inner = part === undefined || rest.length === 0 ? value : withValue(fields[part], rest, value);
  return { ...fields, [part ?? '']: inner } as unknown as KubernetesObject;
}

const [route, traffic] = service;
const [proxy, listener] = gateway;
const http = ['spec', 'timeout', 'http'];

const smallest: readonly [string, StreamPath, readonly string[]][] = [
  [
    'L23 a limit on the whole of a response',
    { ...full, service: [withValue(route, ['spec', 'rules'], [{ timeouts: { request: '15s' } }])] },
    ['Silence 900: load balancer', 'Whole 15: route', 'Drain 3600: gateway pods'],
  ],
  [
    "the service's own policy, which is merged over that of the gateway",
    { ...full, service: [...service.slice(0, 1), withValue(traffic, [...http, 'streamIdleTimeout'], '2m')] },
    ['Silence 120: policy', 'Drain 3600: gateway pods'],
  ],
  [
    'every hop that shares it',
    { ...full, gateway: [withValue(proxy, ['spec', 'shutdown', 'drainTimeout'], '1h1m'), ...gateway.slice(1)] },
    ['Silence 900: load balancer', 'Drain 3660: gateway pods, engine'],
  ],
  [
    'an idle limit of zero as none, and no time at all for a pod that must stop at once',
    {
      ...full,
      gateway: [withValue(listener, [...http, 'streamIdleTimeout'], '0s')],
      replicas: [engine('Deployment', 'template', 0)],
    },
    ['Drain 0: engine'],
  ],
  [
    'L9 the grace period of each pod of a gang',
    {
      ...full,
      replicas: [engine('LeaderWorkerSet', 'leaderTemplate', 3660), engine('LeaderWorkerSet', 'workerTemplate', 30)],
    },
    ['Silence 900: load balancer', 'Drain 30: engine'],
  ],
];

test.each(smallest)('explainStream names the smallest: %s', (_name, path, expected) => {
  expect(
    explainStream(path).smallest.map(({ limits, seconds, hops }) => `${limits} ${seconds}: ${hops.join(', ')}`),
  ).toEqual(expected);
});

describe('S5 explainStream calls unknown what is not rendered', () => {
  test('with what the claim declares for the load balancer, named as declared', () => {
    const early = envoyProxy.render({ ...facts, serviceType: 'ClusterIP' });
    const said = explainStream({ ...full, gateway: [early, ...gateway.slice(1)] });
    expect(said.unknown).toEqual(['load balancer']);
    expect(said.hops[0]).toEqual({
      hop: 'load balancer',
      limits: 'Silence',
      state: 'NotRendered',
      setBy: 'no load balancer is rendered yet; spec.loadBalancer.idleTimeoutSeconds declares 900 s',
    });
  });

  test('and has no value for any hop where nothing is there', () => {
    const said = explainStream({ service: [], gateway: [], gatewayXr: undefined, replicas: [] });
    expect(said.smallest).toEqual([]);
    expect(said.unknown).toEqual(['load balancer', 'listener', 'route', 'policy', 'engine']);
    expect(said.hops.filter(({ seconds }) => seconds !== undefined)).toEqual([]);
  });

  test('L23 a rule without a timeout, which the gateway would end by its own default', () => {
    const said = explainStream({ ...full, service: [withValue(route, ['spec', 'rules'], [{}])] });
    expect(said.unknown).toEqual(['route']);
  });
});
