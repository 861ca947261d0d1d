import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FeatureName, featureNames } from '../kubernetes/feature.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { decideManifests, type GatewayScene, requiredManifests } from './decide-manifest.ts';
import { InferenceGatewaySpec } from './inference-gateway-spec.ts';
import { gatewayManifests } from './manifests/gateway-manifests.ts';

const given = { type: 'Secret', secretName: 'tls' };
const issued = { type: 'Issuer', issuerRef: { name: 'public' } };
const apiKey = { type: 'ApiKey', callers: [{ secretRef: { name: 'team-a' } }] };

function specOf(fields: Record<string, unknown> = {}): InferenceGatewaySpec {
  return InferenceGatewaySpec.parse({
    clusterName: 'eu',
    hostnames: { api: 'api.example.com' },
    tls: given,
    ...fields,
  });
}

function observe(keys: readonly string[]): ReadonlyMap<string, KubernetesObject> {
  return new Map(keys.map((key) => [key, { apiVersion: 'v1', kind: 'Secret', metadata: { name: key } }]));
}

function actions(scene: GatewayScene): Record<string, string> {
  return Object.fromEntries(decideManifests(scene).map(({ manifest, action }) => [manifest.key, action]));
}

const hasAll = () => true;
const keySecrets = ['main-keys-team-a'];
const keysOf = (spec: InferenceGatewaySpec) => requiredManifests({ spec, keySecrets }).map(({ key }) => key);

test('L21 the Gateway is composed only when everything before it is observed', () => {
  const spec = specOf({ auth: apiKey });
  const before = keysOf(spec).filter((key) => key !== 'gateway-gateway');
  expect(actions({ spec, keySecrets, feature: hasAll, observed: observe([]) })['gateway-gateway']).toBe('Plan');
  for (const missing of before) {
    const observed = observe(before.filter((key) => key !== missing));
    expect(actions({ spec, keySecrets, feature: hasAll, observed })['gateway-gateway'], missing).toBe('Plan');
  }
  expect(actions({ spec, keySecrets, feature: hasAll, observed: observe(before) })['gateway-gateway']).toBe('Compose');
});

test('L21 an observed Gateway stays composed when a policy is missing again', () => {
  const scene = { spec: specOf(), keySecrets, feature: hasAll, observed: observe(['gateway-gateway']) };
  expect(actions(scene)['gateway-gateway']).toBe('Compose');
});

const table: readonly [string, Partial<GatewayScene>, string, string][] = [
  ['no caller is named', {}, 'gateway-caller-policy', 'Leave'],
  ['callers are named', { spec: specOf({ auth: apiKey }), keySecrets }, 'gateway-caller-policy', 'Compose'],
  ['the callers are taken away', { observed: observe(['gateway-caller-policy']) }, 'gateway-caller-policy', 'Drop'],
  ['the certificate is given', {}, 'gateway-certificate', 'Leave'],
  ['the certificate is issued', { spec: specOf({ tls: issued }) }, 'gateway-certificate', 'Compose'],
  [
    'an issued certificate is given from now on',
    { observed: observe(['gateway-certificate']) },
    'gateway-certificate',
    'Drop',
  ],
  ['the cluster lacks a kind', { feature: (name) => name !== 'AIGateway' }, 'gateway-config', 'Plan'],
  ['the cluster does not say whether it has a kind', { feature: () => undefined }, 'gateway-deny-policy', 'Plan'],
  [
    'the cluster no longer says whether it has a kind',
    { feature: () => undefined, observed: observe(['gateway-deny-policy']) },
    'gateway-deny-policy',
    'Leave',
  ],
  [
    'there is no Prometheus Operator',
    { feature: (name) => name !== 'PrometheusOperator' },
    'gateway-pod-monitor',
    'Plan',
  ],
  ['the Secret needs no feature', { feature: () => undefined }, 'gateway-nobody', 'Compose'],
];

test.each(table)('decideManifests decides when %s', (_name, scene, key, action) => {
  expect(actions({ spec: specOf(), keySecrets: [], feature: hasAll, observed: observe([]), ...scene })[key]).toBe(
    action,
  );
});

test('decideManifests says what to install when the cluster lacks it', () => {
  const [decision] = decideManifests({
    spec: specOf({ tls: issued }),
    keySecrets,
    feature: () => false,
    observed: observe([]),
  }).filter(({ manifest }) => manifest.key === 'gateway-certificate');
  expect(decision?.why).toBe('composed when the cluster has cert-manager 1.15 or newer');
});

const someScene = fc.record({
  auth: fc.constantFrom(undefined, apiKey, { type: 'Anonymous' }),
  tls: fc.constantFrom(given, issued),
  has: fc.dictionary(fc.constantFrom(...featureNames), fc.boolean()),
  keys: fc.subarray(gatewayManifests.map(({ key }) => key)),
});

test('decideManifests never takes an observed object back unless the spec does not want it (S1)', () => {
  fc.assert(
    fc.property(someScene, ({ auth, tls, has, keys }) => {
      const spec = specOf({ tls, ...(auth === undefined ? {} : { auth }) });
      const keySecrets = auth === apiKey ? ['main-keys-team-a'] : [];
      const feature = (name: FeatureName) => has[name];
      for (const { manifest, action } of decideManifests({ spec, keySecrets, feature, observed: observe(keys) })) {
        const isWanted = manifest.wanted?.by({ spec, keySecrets }) ?? true;
        if (keys.includes(manifest.key)) expect(action === 'Drop').toBe(!isWanted);
        else expect(action).not.toBe('Drop');
        if (action === 'Compose') expect(manifest.needs.every((name) => has[name] === true)).toBe(true);
      }
    }),
  );
});

test('every manifest has a key of its own with the prefix of the step', () => {
  const keys = gatewayManifests.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !key.startsWith('gateway-'))).toEqual([]);
});
