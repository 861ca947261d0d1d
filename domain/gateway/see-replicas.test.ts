import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Replica } from './replica-endpoint.ts';
import { renderService } from './routes/service-manifests.ts';
import { seeReplicas } from './see-replicas.ts';

const replica: Replica = {
  name: 'llama-0',
  deployment: 'llama',
  generation: 1,
  clusterName: 'europe',
  traffic: 'Serve',
  engineReady: 'True',
  isHeldBack: false,
  endpoint: undefined,
};

function slice(service: string, endpoints: readonly unknown[]): KubernetesObject {
  const labels = { 'kubernetes.io/service-name': service };
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'x', labels }, endpoints };
}

function rendered(weight: number): ReadonlyMap<string, KubernetesObject> {
  const endpoint = { service: 'llama-engine', port: 9000, protocols: ['OpenAI' as const, 'Anthropic' as const] };
  const gateway = { name: 'main', namespace: 'modelberth-gateway' };
  const backends = [{ replica: 'llama-0', deployment: 'llama', weight, priority: 0, endpoint }];
  const parent = { name: 'chat', namespace: 'team-a', createdAt: undefined, gateway, callerHeader: 'x-caller' };
  return renderService({ ...parent, backends, externals: [] });
}

const nothing: ReadonlyMap<string, KubernetesObject> = new Map();
const address = { addresses: ['10.0.0.1'] };

const endpoints: readonly [string, readonly KubernetesObject[] | undefined, boolean | undefined][] = [
  ['they have not been fetched', undefined, undefined],
  ['there is none', [], false],
  ['one is ready', [slice('llama-0', [{ ...address, conditions: { ready: true } }])], true],
  ['none is ready', [slice('llama-0', [{ ...address, conditions: { ready: false } }])], false],
  ['one does not say, which the API calls ready', [slice('llama-0', [address])], true],
  ['one has no address', [slice('llama-0', [{ addresses: [] }])], false],
  ['they are of another Service', [slice('llama-1', [address])], false],
  ['a slice is unreadable', [{ ...slice('llama-0', []), endpoints: 'broken' }], false],
];

test.each(endpoints)('seeReplicas judges the endpoints of a replica when %s', (_name, slices, hasEndpoint) => {
  const [seen] = seeReplicas({ service: 'chat', cluster: 'europe', replicas: [replica], slices, observed: nothing });
  expect(seen?.hasEndpoint).toBe(hasEndpoint);
});

test('seeReplicas takes the endpoint that the replica says', () => {
  const endpoint = { service: 'other', port: 1, protocols: ['OpenAI' as const] };
  const [seen] = seeReplicas({
    service: 'chat',
    cluster: 'europe',
    replicas: [{ ...replica, endpoint }],
    slices: [],
    observed: rendered(1),
  });
  expect(seen?.endpoint).toEqual(endpoint);
});

test('seeReplicas keeps the endpoint that was rendered when the replica stops saying it (S1)', () => {
  const [seen] = seeReplicas({
    service: 'chat',
    cluster: 'europe',
    replicas: [replica],
    slices: [],
    observed: rendered(1),
  });
  expect(seen?.endpoint).toEqual({ service: 'llama-engine', port: 9000, protocols: ['OpenAI', 'Anthropic'] });
  expect(seen?.hadWeight).toBe(true);
});

test('seeReplicas assumes an endpoint when nothing says it', () => {
  const [seen] = seeReplicas({
    service: 'chat',
    cluster: 'europe',
    replicas: [replica],
    slices: [],
    observed: nothing,
  });
  expect(seen?.endpoint).toEqual({ service: 'llama-0', port: 8000, protocols: ['OpenAI'] });
  expect(seen?.hadWeight).toBe(false);
});

test('seeReplicas sees no weight when the route gives none', () => {
  const [seen] = seeReplicas({
    service: 'chat',
    cluster: 'europe',
    replicas: [replica],
    slices: [],
    observed: rendered(0),
  });
  expect(seen?.hadWeight).toBe(false);
});

test('L45 seeReplicas tells a replica on another cluster, and takes one that does not say for near', () => {
  const seen = (clusterName: string | undefined) =>
    seeReplicas({
      service: 'chat',
      cluster: 'europe',
      replicas: [{ ...replica, clusterName }],
      slices: [],
      observed: nothing,
    })[0]?.isElsewhere;
  expect([seen('europe'), seen('frankfurt'), seen(undefined)]).toEqual([false, true, false]);
});
