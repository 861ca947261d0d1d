import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { listListeners, passFeatures, readAddress } from './gateway-status.ts';
import { issuerNeedsAddress } from './issuer-needs-address.ts';

function object(kind: string, fields: Record<string, unknown>, generation = 2): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'main', generation }, ...fields };
}

const spec = {
  listeners: [
    { name: 'http', port: 80 },
    { name: 'https-api', port: 443, hostname: 'api.example.com' },
  ],
};
const programmed = (name: string, status: string, observedGeneration = 2) => ({
  name,
  conditions: [{ type: 'Programmed', status, observedGeneration }],
});
const shown = (http: string, api: string) => [
  { name: 'http', port: 80, state: http },
  { name: 'https-api', port: 443, hostname: 'api.example.com', state: api },
];

const listeners: readonly [string, KubernetesObject | undefined, unknown][] = [
  ['there is no Gateway', undefined, []],
  ['it has no status', object('Gateway', { spec }), shown('Unknown', 'Unknown')],
  ['its status is text', object('Gateway', { spec, status: 'broken' }), shown('Unknown', 'Unknown')],
  [
    'the certificate of one listener is missing',
    object('Gateway', { spec, status: { listeners: [programmed('http', 'True'), programmed('https-api', 'False')] } }),
    shown('Programmed', 'NotProgrammed'),
  ],
  [
    'the status is of an older generation',
    object('Gateway', {
      spec,
      status: { listeners: [programmed('http', 'True', 1), programmed('https-api', 'True')] },
    }),
    shown('Unknown', 'Programmed'),
  ],
];

test.each(listeners)('listListeners shows what is observed when %s', (_name, gateway, expected) => {
  expect(listListeners(gateway)).toEqual(expected);
});

const proxy = (type: string) =>
  object('EnvoyProxy', { spec: { provider: { kubernetes: { envoyService: { type } } } } });
const withAddress = (type: string, value: string) => object('Gateway', { status: { addresses: [{ type, value }] } });

const addresses: readonly [string, KubernetesObject | undefined, KubernetesObject | undefined, string | undefined][] = [
  ['nothing is observed', undefined, undefined, undefined],
  ['L21 the Service is inside the cluster only', withAddress('IPAddress', '10.0.0.1'), proxy('ClusterIP'), undefined],
  ['the load balancer has no name yet', withAddress('IPAddress', '10.0.0.1'), proxy('LoadBalancer'), undefined],
  ['the load balancer has its name', withAddress('Hostname', 'a.elb.example'), proxy('LoadBalancer'), 'a.elb.example'],
];

test.each(addresses)(
  'readAddress gives the name of the load balancer when %s',
  (_name, gateway, envoyProxy, expected) => {
    expect(readAddress(gateway, envoyProxy)).toBe(expected);
  },
);

test('passFeatures copies what the cluster says about what services need, and nothing that it does not say', () => {
  const status = { features: { AIGateway: true, EnvoyGateway: false, GatewayAPI: 'yes', CertManager: true } };
  expect(passFeatures(object('InferenceCluster', { status }))).toEqual({ AIGateway: true, EnvoyGateway: false });
  expect(passFeatures(object('InferenceCluster', { status: 'broken' }))).toEqual({});
});

const solvers: readonly [string, unknown, boolean][] = [
  ['it is no ACME issuer', { selfSigned: {} }, false],
  ['it solves DNS-01', { acme: { solvers: [{ dns01: { route53: {} } }] } }, false],
  ['it solves HTTP-01 only', { acme: { solvers: [{ http01: { ingress: {} } }] } }, true],
  ['it solves both', { acme: { solvers: [{ http01: {} }, { dns01: {} }] } }, false],
  ['its solvers cannot be read', { acme: { solvers: 'broken' } }, false],
];

test.each(solvers)('L27 issuerNeedsAddress looks for a way without the address when %s', (_name, issuer, expected) => {
  expect(issuerNeedsAddress(object('Issuer', { spec: issuer }))).toBe(expected);
});
