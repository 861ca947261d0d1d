import { expect, test } from 'vitest';
import { InferenceGatewaySpec } from './inference-gateway-spec.ts';

const smallest = {
  clusterName: 'eu',
  hostnames: { api: 'api.example.com' },
  tls: { type: 'Secret', secretName: 'tls' },
};

test('InferenceGatewaySpec is closed, internal and safe for streams of hours when only what is needed is written', () => {
  expect(InferenceGatewaySpec.parse(smallest)).toEqual({
    ...smallest,
    namespace: 'modelberth-gateway',
    gatewayClassName: 'modelberth',
    modelNamespaces: [],
    callerHeader: 'x-modelberth-caller',
    loadBalancer: { scheme: 'internal', idleTimeoutSeconds: 6000, sourceRanges: [] },
    streamIdleSeconds: 3600,
    maxBodySize: '50Mi',
    deletionProtection: false,
    replicas: 2,
  });
});

const refused: readonly [string, Record<string, unknown>, string][] = [
  ['an issuer is not named', { tls: { type: 'Issuer' } }, 'tls: issuerRef is missing: name the cert-manager issuer'],
  ['a Secret is not named', { tls: { type: 'Secret' } }, 'tls: secretName is missing: name the Secret'],
  [
    'an issuer would have no effect',
    { tls: { type: 'Secret', secretName: 'tls', issuerRef: { name: 'public' } } },
    'tls: issuerRef has no effect when type is "Secret"',
  ],
  ['keys have no callers', { auth: { type: 'ApiKey' } }, 'auth: callers is missing: name a Secret of keys'],
  [
    'callers would have no effect',
    { auth: { type: 'Anonymous', callers: [{ secretRef: { name: 'a' } }] } },
    'auth: callers has no effect when type is "Anonymous"',
  ],
  [
    'a Secret of keys is named twice',
    { auth: { type: 'ApiKey', callers: [{ secretRef: { name: 'a' } }, { secretRef: { name: 'a' } }] } },
    'auth.callers: a Secret is named twice',
  ],
  [
    'it lives beside Envoy Gateway',
    { namespace: 'envoy-gateway-system' },
    'namespace: spec.namespace is the namespace of Envoy',
  ],
  ['the host name is no name', { hostnames: { api: '*.example.com' } }, 'hostnames.api: Invalid string'],
  [
    'the load balancer would idle for longer than it can',
    { loadBalancer: { idleTimeoutSeconds: 7200 } },
    'loadBalancer.idle',
  ],
  ['the caller header is no header', { callerHeader: 'X_Caller' }, 'callerHeader: Invalid string'],
  ['the body size has no unit', { maxBodySize: '50' }, 'maxBodySize: Invalid string'],
];

test.each(refused)('InferenceGatewaySpec is refused when %s', (_name, fields, message) => {
  const read = InferenceGatewaySpec.safeParse({ ...smallest, ...fields });
  const issues = read.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  expect(issues).toHaveLength(1);
  expect(issues[0]).toContain(message);
});
