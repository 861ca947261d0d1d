import { expect, test } from 'vitest';
import type { RenderEvent } from '../../cli/crossplane/render-output.ts';
import { isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { isClusterScoped, lintRendered, type Rendered } from './lint-rendered.ts';
import { readCases, readDefinitions, readExpected } from './read-cases.ts';

const xr: KubernetesObject = {
  apiVersion: 'modelberth.dev/v1alpha1',
  kind: 'ModelService',
  metadata: { name: 'llama', namespace: 'team-a', uid: 'uid-1' },
};
const clusterXr: KubernetesObject = { ...xr, kind: 'InferenceGateway', metadata: { name: 'main', uid: 'uid-1' } };
const annotations = { 'crossplane.io/composition-resource-name': 'gateway-route' };
const ownerReferences = [{ apiVersion: xr.apiVersion, kind: xr.kind, name: 'llama', uid: 'uid-1', controller: true }];
const observed: KubernetesObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'route', namespace: 'team-a', annotations, ownerReferences },
};
const composed: KubernetesObject = { ...observed, metadata: { name: 'route', namespace: 'team-a', annotations } };
const sound: Rendered = { xr, observed: [observed], composed: [composed], events: [] };

function withMetadata(object: KubernetesObject, metadata: KubernetesObject['metadata']): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

const faulty: readonly [string, Partial<Rendered>, string][] = [
  [
    'a namespaced XR composes a cluster-scoped object',
    { composed: [{ ...composed, kind: 'GatewayClass' }], observed: [] },
    'Composed GatewayClass "route": it has no namespace, so a ModelService, which has one, may not own it',
  ],
  [
    'a namespaced XR composes into a foreign namespace',
    { composed: [withMetadata(composed, { namespace: 'team-b' })] },
    'Composed HTTPRoute "route": namespace "team-b" is not that of the ModelService, "team-a"',
  ],
  [
    'core overrode a namespace',
    { events: [{ type: 'Warning', reason: 'NamespaceOverridden', message: 'Namespace "b" overridden' }] },
    'Namespace "b" overridden; leave the namespace out',
  ],
  [
    'a cluster-scoped XR composes a namespaced object without a namespace',
    { xr: clusterXr, observed: [], composed: [{ ...composed, metadata: { name: 'route', annotations } }] },
    'Composed HTTPRoute "route": set a namespace, the InferenceGateway has none',
  ],
  [
    'a kind changes under its key',
    { composed: [{ ...composed, kind: 'GRPCRoute' }] },
    'Composed GRPCRoute "route": key "gateway-route" was a HTTPRoute, which core would orphan; use another key',
  ],
  [
    'an observed object has no key',
    { observed: [withMetadata(observed, { annotations: {} })] },
    'Observed HTTPRoute "route": add the annotation crossplane.io/composition-resource-name: core does not know which resource it is',
  ],
  [
    'an observed object has no owner',
    { observed: [withMetadata(observed, { ownerReferences: [] })] },
    'Observed HTTPRoute "route": add an owner reference with controller true and the uid of the ModelService: core would never delete it',
  ],
  [
    'the owner of an observed object is no controller',
    {
      observed: [
        withMetadata(observed, { ownerReferences: ownerReferences.map((owner) => ({ ...owner, controller: false })) }),
      ],
    },
    'Observed HTTPRoute "route": add an owner reference with controller true and the uid of the ModelService: core would never delete it',
  ],
  [
    'an observed object belongs to another XR',
    {
      observed: [
        withMetadata(observed, { ownerReferences: ownerReferences.map((owner) => ({ ...owner, uid: 'uid-2' })) }),
      ],
    },
    'Observed HTTPRoute "route": add an owner reference with controller true and the uid of the ModelService: core would never delete it',
  ],
  [
    'an observed object is in another namespace than the XR',
    { observed: [withMetadata(observed, { namespace: 'team-b' })] },
    'Observed HTTPRoute "route": put it into namespace "team-a": found "team-b"',
  ],
];

test.each(faulty)('lintRendered says so when %s', (_name, fault, message) => {
  expect(lintRendered({ ...sound, ...fault })).toEqual([message]);
});

const harmless: readonly [string, Partial<Rendered>][] = [
  ['everything is in its place', {}],
  ['only the version of a kind changes', { composed: [{ ...composed, apiVersion: 'gateway.networking.k8s.io/v2' }] }],
  [
    'a composed object leaves its namespace to core',
    { composed: [{ ...composed, metadata: { name: 'route', annotations } }] },
  ],
  [
    'a cluster-scoped XR composes both scopes',
    { xr: clusterXr, composed: [composed, { ...composed, kind: 'GatewayClass' }], observed: [] },
  ],
];

test.each(harmless)('lintRendered finds nothing when %s', (_name, change) => {
  expect(lintRendered({ ...sound, ...change })).toEqual([]);
});

test('isClusterScoped agrees with every XRD', () => {
  const definitions = readDefinitions();
  expect(definitions.length).toBeGreaterThanOrEqual(6);
  for (const { spec } of definitions) {
    const { group, names, scope } = spec as { group: string; names: { kind: string }; scope: string };
    expect([names.kind, isClusterScoped({ apiVersion: `${group}/v1alpha1`, kind: names.kind })]).toEqual([
      names.kind,
      scope === 'Cluster',
    ]);
  }
});

const cases = readCases();

test('there are golden cases to lint', () => {
  expect(cases.length).toBeGreaterThanOrEqual(5);
});

test.each(cases.map((renderCase) => [renderCase.name, renderCase] as const))(
  'case %s has no fault that core would show',
  (_name, renderCase) => {
    const expected = readExpected(renderCase);
    const rendered: Rendered = {
      xr: renderCase.xr,
      observed: renderCase.observed,
      composed: readList(expected, ['composed']).filter(isRecord) as unknown as KubernetesObject[],
      events: readList(expected, ['events']) as RenderEvent[],
    };
    expect(lintRendered(rendered)).toEqual([]);
  },
);
