/**
 * Which changes touch the listeners of Envoy, whose running streams then end after the drain time. Predicted by Envoy
 * Gateway's own translator, which agreed with a live Envoy wherever both were tried.
 */
import { beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { gatewayClaim, serviceClaim, withFallback } from './claims.ts';
import { callersSecret, keys, renewCertificate } from './cluster-objects.ts';
import { composeClaims } from './compose-claims.ts';
import { isKeys } from './control-objects.ts';
import { findRefused, translateListeners } from './translate.ts';

interface World {
  readonly rendered: readonly KubernetesObject[];
  readonly beside: readonly KubernetesObject[];
}

const claims = [gatewayClaim(), serviceClaim('mimo')];
const certificate = renewCertificate();
const before: World = { rendered: composeClaims(claims), beside: [certificate] };
const withClaims = (...changed: readonly KubernetesObject[]): World => ({
  ...before,
  rendered: composeClaims(changed),
});
const withCallers = (data: Record<string, string>): World => ({
  ...before,
  rendered: composeClaims(claims, callersSecret(data)),
});
const withPolicy = (policy: KubernetesObject): World => ({ ...before, rendered: [...before.rendered, policy] });
const atFirst = { 'coding.agent': keys.agent, 'coding.ci': keys.ci };
const isNoPin = ({ metadata }: KubernetesObject) => metadata.name !== 'inference-auth-pin';
const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'mimo' }];

function routePolicy(kind: string, spec: Record<string, unknown>): KubernetesObject {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind,
    metadata: { name: `${kind.toLowerCase()}-of-a-team`, namespace: 'coding' },
    spec: { mergeType: 'StrategicMerge', targetRefs, ...spec },
  } as KubernetesObject;
}

/** Changes during which streams go on. */
const harmless: readonly { readonly name: string; readonly after: () => World }[] = [
  { name: 'a new model', after: () => withClaims(...claims, serviceClaim('qwen')) },
  { name: 'a hosted fallback', after: () => withClaims(gatewayClaim(), serviceClaim('mimo', withFallback)) },
  { name: 'a key that is added', after: () => withCallers({ ...atFirst, 'coding.new': 'new' }) },
  { name: 'a key that is replaced', after: () => withCallers({ ...atFirst, 'coding.agent': 'another' }) },
  { name: 'a key that is revoked', after: () => withCallers({ 'coding.agent': keys.agent }) },
  { name: 'a key that two callers have', after: () => withCallers({ ...atFirst, 'coding.new': keys.agent }) },
  { name: 'a renewed certificate', after: () => ({ ...before, beside: [renewCertificate()] }) },
  {
    name: 'the first authorization of a team',
    after: () => withPolicy(routePolicy('SecurityPolicy', { authorization: { defaultAction: 'Deny', rules: [] } })),
  },
  {
    name: 'the first CORS of a team',
    after: () => withPolicy(routePolicy('SecurityPolicy', { cors: { allowOrigins: ['https://app.example.com'] } })),
  },
  {
    name: 'a served namespace',
    after: () => withClaims(gatewayClaim({ modelNamespaces: ['coding', 'research'] }), serviceClaim('mimo')),
  },
];

let listeners: string;

beforeAll(async () => {
  listeners = await translateListeners(before.rendered, before.beside);
});

test('Envoy Gateway accepts every policy and resolves every reference of what is rendered', async () => {
  expect(await findRefused(before.rendered, before.beside)).toEqual([]);
});

test('control: a Secret of keys that is missing is what Envoy Gateway refuses', async () => {
  const rendered = before.rendered.filter((object) => !isKeys(object));
  const refused = await findRefused(rendered, before.beside);
  expect(refused.map(({ object }) => object)).toContain('SecurityPolicy/inference-callers');
});

test('the listeners have what is asked about: the pin, the health path and no login', () => {
  expect(listeners).toContain('envoy.filters.http.api_key_auth');
  expect(listeners).toContain('envoy.filters.http.rbac');
  expect(listeners).toContain('envoy.filters.http.cors');
  expect(listeners).toContain('envoy.filters.http.local_ratelimit');
  expect(listeners).toContain('/healthz');
});

test.each(harmless)('$name leaves the listeners as they are, to the byte', async ({ after }) => {
  const { rendered, beside } = after();
  expect(await translateListeners(rendered, beside)).toBe(listeners);
});

test('control: a changed body limit changes the listeners, so that the comparison can fail', async () => {
  const rendered = composeClaims([gatewayClaim({ maxBodySize: '10Mi' }), serviceClaim('mimo')]);
  expect(await translateListeners(rendered, before.beside)).not.toBe(listeners);
});

test('control: without the auth-pin a key that is added changes the listeners', async () => {
  const rendered = before.rendered.filter(isNoPin);
  const after = withCallers({ ...atFirst, 'coding.new': 'new' }).rendered.filter(isNoPin);
  expect(await translateListeners(after, before.beside)).not.toBe(await translateListeners(rendered, before.beside));
});
