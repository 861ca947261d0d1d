import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../kubernetes/canonical-json.ts';
import { type KubernetesObject, readList, readPath } from '../../kubernetes/object.ts';
import type { GatewayFacts, ServiceType } from '../gateway-facts.ts';
import { InferenceGatewaySpec } from '../inference-gateway-spec.ts';
import { gatewayManifests } from './gateway-manifests.ts';

const apiKey = { type: 'ApiKey', callers: [{ secretRef: { name: 'team-b' } }, { secretRef: { name: 'team-a' } }] };
const issued = { type: 'Issuer', issuerRef: { name: 'public', kind: 'ClusterIssuer' } };

function factsOf(fields: Record<string, unknown> = {}, serviceType: ServiceType = 'LoadBalancer'): GatewayFacts {
  const needed = {
    clusterName: 'eu',
    hostnames: { api: 'api.example.com' },
    tls: { type: 'Secret', secretName: 'tls' },
  };
  return {
    name: 'main',
    spec: InferenceGatewaySpec.parse({ ...needed, ...fields }),
    serviceType,
    keySecrets: ['main-keys-team-b', 'main-keys-team-a'],
    nobodyKey: 'bm9ib2R5',
  };
}

function render(key: string, facts: GatewayFacts): KubernetesObject {
  const manifest = gatewayManifests.find((candidate) => candidate.key === key);
  if (manifest === undefined) throw new Error(`no manifest has the key ${key}`);
  return manifest.render(facts);
}

function specOf(key: string, facts = factsOf()): unknown {
  return render(key, facts).spec;
}

const someFields = fc.record(
  {
    auth: fc.constantFrom(apiKey, { type: 'Anonymous' }),
    tls: fc.constantFrom(issued, { type: 'Secret', secretName: 'other' }),
    modelNamespaces: fc.uniqueArray(fc.constantFrom('team-a', 'team-b', 'team-c')),
    streamIdleSeconds: fc.integer({ min: 60, max: 86_400 }),
    maxBodySize: fc.constantFrom('1Ki', '50Mi', '512Mi'),
    replicas: fc.integer({ min: 1, max: 64 }),
    callerHeader: fc.constantFrom('x-caller', 'x-modelberth-caller'),
    hostnames: fc.constantFrom({ api: 'api.example.com' }, { api: 'models.example.org' }),
  },
  { requiredKeys: [] },
);

test('L20 a gateway without auth asks on every listener for the key that nobody has', () => {
  expect(specOf('gateway-deny-policy')).toEqual({
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'main' }],
    apiKeyAuth: {
      credentialRefs: [{ name: 'main-nobody' }],
      extractFrom: [{ headers: ['authorization', 'x-api-key'] }],
      sanitize: true,
    },
  });
  expect(render('gateway-nobody', factsOf())).toMatchObject({
    metadata: { name: 'main-nobody' },
    data: { nobody: 'bm9ib2R5' },
  });
});

test('L20 TLS ends at the gateway and plain HTTP has no route but the redirect', () => {
  const [http, api] = readList(specOf('gateway-gateway'), ['listeners']);
  expect(http).toMatchObject({ name: 'http', port: 80, allowedRoutes: { namespaces: { from: 'Same' } } });
  expect(api).toMatchObject({
    name: 'https-api',
    port: 443,
    hostname: 'api.example.com',
    tls: { mode: 'Terminate', certificateRefs: [{ name: 'tls' }] },
  });
});

test('L20 an open gateway opens the API listener only, and only when it is written out', () => {
  expect(specOf('gateway-caller-policy', factsOf({ auth: { type: 'Anonymous' } }))).toEqual({
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'main', sectionName: 'https-api' }],
    authorization: { defaultAction: 'Allow' },
  });
});

test('L22 the health path and the redirect are open whatever the auth', () => {
  for (const auth of [undefined, apiKey, { type: 'Anonymous' }]) {
    const facts = factsOf(auth === undefined ? {} : { auth });
    expect(readPath(specOf('gateway-client-traffic', facts), ['healthCheck'])).toEqual({ path: '/healthz' });
    expect(specOf('gateway-redirect-policy', facts)).toEqual({
      targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'main-redirect' }],
      authorization: { defaultAction: 'Allow' },
    });
    // Gateway API 1.4 knows 301 and 302 only (read 2026-12-01).
    expect(specOf('gateway-redirect-route', facts)).toEqual({
      parentRefs: [{ name: 'main', sectionName: 'http' }],
      rules: [{ filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }] }],
    });
  }
});

test('L23 nothing bounds a stream as a whole, and the idle limit is the same on both sides', () => {
  const facts = factsOf({ streamIdleSeconds: 1800 });
  const text = gatewayManifests.map((manifest) => canonicalJson(manifest.render(facts))).join('\n');
  expect(text).not.toMatch(/"(requestTimeout|maxStreamDuration|maxConnectionDuration|responseOverride)"/);
  expect(readPath(specOf('gateway-client-traffic', facts), ['timeout', 'http', 'streamIdleTimeout'])).toBe('1800s');
  expect(readPath(specOf('gateway-backend-traffic', facts), ['timeout', 'http', 'streamIdleTimeout'])).toBe('1800s');
});

const annotationOf = (facts: GatewayFacts, name: string) => {
  const path = ['provider', 'kubernetes', 'envoyService', 'annotations'];
  const annotations = readPath(specOf('gateway-envoy-proxy', facts), path);
  return readPath(annotations, [`service.beta.kubernetes.io/aws-load-balancer-${name}`]);
};

test('L24 the load balancer passes TCP through and idles for as long as the spec says', () => {
  expect(annotationOf(factsOf(), 'listener-attributes.TCP-443')).toBe('tcp.idle_timeout.seconds=6000');
  const facts = factsOf({
    loadBalancer: { idleTimeoutSeconds: 600, scheme: 'internet-facing', sourceRanges: ['10.0.0.0/8'] },
  });
  expect(annotationOf(facts, 'listener-attributes.TCP-443')).toBe('tcp.idle_timeout.seconds=600');
  expect(annotationOf(facts, 'scheme')).toBe('internet-facing');
  expect(annotationOf(facts, 'target-group-attributes')).toContain('deregistration_delay.timeout_seconds=3600');
  expect(readPath(specOf('gateway-envoy-proxy', facts), ['provider', 'kubernetes', 'envoyService'])).toMatchObject({
    type: 'LoadBalancer',
    loadBalancerClass: 'service.k8s.aws/nlb',
    loadBalancerSourceRanges: ['10.0.0.0/8'],
  });
});

test('L21 a Service without an address has nothing of a load balancer', () => {
  const service = readPath(specOf('gateway-envoy-proxy', factsOf({}, 'ClusterIP')), [
    'provider',
    'kubernetes',
    'envoyService',
  ]);
  expect(service).toEqual({ type: 'ClusterIP' });
});

test('L27 the certificate is issued and renewed into the Secret that the listener uses', () => {
  const facts = factsOf({ tls: issued });
  expect(specOf('gateway-certificate', facts)).toMatchObject({
    secretName: 'main-tls',
    dnsNames: ['api.example.com'],
    renewBefore: '720h',
    issuerRef: { name: 'public', kind: 'ClusterIssuer', group: 'cert-manager.io' },
  });
  const [, api] = readList(specOf('gateway-gateway', facts), ['listeners']);
  expect(readPath(api, ['tls', 'certificateRefs'])).toEqual([{ name: 'main-tls' }]);
});

test('L28 the API listener has no login that redirects', () => {
  const text = gatewayManifests.map((manifest) => canonicalJson(manifest.render(factsOf({ auth: apiKey })))).join('\n');
  expect(text).not.toContain('"oidc"');
});

test('L29 callers have keys that do not expire, in the order of the spec, from either header', () => {
  expect(specOf('gateway-caller-policy', factsOf({ auth: apiKey }))).toEqual({
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'main', sectionName: 'https-api' }],
    apiKeyAuth: {
      credentialRefs: [{ name: 'main-keys-team-b' }, { name: 'main-keys-team-a' }],
      extractFrom: [{ headers: ['authorization', 'x-api-key'] }],
      forwardClientIDHeader: 'x-modelberth-caller',
      sanitize: true,
    },
  });
});

test('L30 the caller header is stripped early and set from the verified caller', () => {
  fc.assert(
    fc.property(someFields, (fields) => {
      const facts = factsOf({ ...fields, auth: apiKey });
      const { callerHeader } = facts.spec;
      const early = readPath(specOf('gateway-client-traffic', facts), ['headers', 'earlyRequestHeaders']);
      expect(readList(early, ['remove'])).toEqual([callerHeader]);
      const prefixes = readList(early, ['removeOnMatch']).map((match) => readPath(match, ['value']));
      expect(prefixes).toEqual(['x-ai-eg-', 'x-aigw-', 'x-gateway-', 'x-envoy-']);
      const auth = readPath(specOf('gateway-caller-policy', facts), ['apiKeyAuth']);
      expect(readPath(auth, ['forwardClientIDHeader'])).toBe(callerHeader);
      expect(readPath(auth, ['sanitize'])).toBe(true);
      expect(canonicalJson(specOf('gateway-envoy-proxy', facts))).toContain(`%REQ(${callerHeader.toUpperCase()})%`);
    }),
  );
});

test('the auth-pin is the same bytes whatever callers, namespaces, limits and certificates', () => {
  const keys = ['gateway-auth-pin-route', 'gateway-auth-pin-policy', 'gateway-auth-pin-traffic', 'gateway-nobody'];
  const pin = (facts: GatewayFacts) => keys.map((key) => canonicalJson(render(key, facts)));
  fc.assert(
    fc.property(someFields, (fields) => {
      expect(pin(factsOf(fields))).toEqual(pin(factsOf()));
    }),
  );
});

test('the auth-pin uses every optional filter once, on every HTTPS listener', () => {
  expect(Object.keys(specOf('gateway-auth-pin-policy') as object)).toEqual([
    'targetRefs',
    'apiKeyAuth',
    'cors',
    'authorization',
  ]);
  expect(readPath(specOf('gateway-auth-pin-traffic'), ['rateLimit', 'type'])).toBe('Local');
  const pinned = readList(specOf('gateway-auth-pin-route'), ['parentRefs']).map((parent) =>
    readPath(parent, ['sectionName']),
  );
  const listeners = readList(specOf('gateway-gateway'), ['listeners']);
  const https = listeners.filter((listener) => readPath(listener, ['protocol']) === 'HTTPS');
  expect(pinned).toEqual(https.map((listener) => readPath(listener, ['name'])));
});

test('listeners keep their order and names whatever the spec, because another order cuts every stream', () => {
  fc.assert(
    fc.property(someFields, (fields) => {
      const listeners = readList(specOf('gateway-gateway', factsOf(fields)), ['listeners']);
      expect(listeners.map((listener) => readPath(listener, ['name']))).toEqual(['http', 'https-api']);
    }),
  );
});

test('the Gateway serves its own namespace and those that the spec names, sorted and once', () => {
  const [, api] = readList(specOf('gateway-gateway', factsOf({ modelNamespaces: ['team-b', 'team-a', 'team-b'] })), [
    'listeners',
  ]);
  expect(readPath(api, ['allowedRoutes', 'namespaces'])).toEqual({
    from: 'Selector',
    selector: {
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['modelberth-gateway', 'team-a', 'team-b'] },
      ],
    },
  });
});

test('every manifest renders its kind, in the namespace of the gateway, under a name of its own', () => {
  fc.assert(
    fc.property(someFields, (fields) => {
      const facts = factsOf(fields);
      const objects = gatewayManifests.map((manifest) => ({ manifest, object: manifest.render(facts) }));
      for (const { manifest, object } of objects) {
        expect(object.kind).toBe(manifest.kind);
        expect(object.metadata.namespace).toBe(facts.spec.namespace);
        expect(Object.hasOwn(object, 'status')).toBe(false);
      }
      const names = objects.map(({ object }) => `${object.kind}/${object.metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
