import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { forceNewOf } from './force-new.ts';

const group = (forProvider: object, externalName = 'one'): KubernetesObject => ({
  apiVersion: 'eks.aws.m.upbound.io/v1beta1',
  kind: 'NodeGroup',
  metadata: { name: 'one', annotations: { 'crossplane.io/external-name': externalName } },
  spec: { forProvider: { instanceTypes: ['g6.xlarge'], diskSize: 200, ...forProvider } },
});
const service = (spec: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'one' },
  spec,
});

const rows: readonly [string, KubernetesObject, KubernetesObject, readonly string[]][] = [
  [
    'nothing of a pool that is resized',
    group({ scalingConfig: { desiredSize: 1 } }),
    group({ scalingConfig: { desiredSize: 0 } }),
    [],
  ],
  [
    'the instance types of a pool',
    group({}),
    group({ instanceTypes: ['g6.2xlarge'] }),
    ['spec.forProvider.instanceTypes'],
  ],
  ['another external name', group({}), group({}, 'two'), ['metadata.annotations.crossplane.io/external-name']],
  [
    'a headless Service that gets an address',
    service({ clusterIP: 'None' }),
    service({ clusterIP: '' }),
    ['spec.clusterIP'],
  ],
  ['nothing of a Service that selects other pods', service({ selector: { a: 'b' } }), service({ selector: {} }), []],
];

test.each(rows)('L41 names %s', (_name, before, after, expected) => {
  expect(forceNewOf(before, after)).toEqual(expected);
});
