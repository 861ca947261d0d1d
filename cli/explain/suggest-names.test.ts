import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { describe, expect, test } from 'vitest';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import { findUnknownNames, nearestName, sayUnknownName } from './suggest-names.ts';

const platform: readonly KubernetesObject[] = [
  { apiVersion, kind: 'InferenceClass', metadata: { name: 'l4' } },
  { apiVersion, kind: 'InferenceClass', metadata: { name: 'l40s' } },
  { apiVersion, kind: 'InferenceCluster', metadata: { name: 'europe' } },
  { apiVersion, kind: 'InferenceGateway', metadata: { name: 'inference' }, spec: { clusterName: 'europe' } },
];
const model = { name: 'meta-llama/Llama-3.1-8B-Instruct' };
const llama = deployment({ model, placement: { classes: ['l4'], clusterName: 'europe' } });

function deployment(spec: Record<string, unknown>, namespace = 'chat'): KubernetesObject {
  return { apiVersion, kind: 'ModelDeployment', metadata: { name: 'llama', namespace }, spec };
}

function service(gatewayName: string, deploymentName: string): KubernetesObject {
  const spec = { gatewayName, routes: [{ deploymentName }] };
  return { apiVersion, kind: 'ModelService', metadata: { name: 'api', namespace: 'chat' }, spec };
}

const sentences: readonly [string, readonly KubernetesObject[], readonly string[]][] = [
  ['nothing where every name is there', [...platform, llama, service('inference', 'llama')], []],
  [
    'a class that is one letter off, at its place in the list',
    [...platform, deployment({ model, placement: { classes: ['l4', 'l40x'] } })],
    [
      'ModelDeployment "llama": spec.placement.classes[1] names "l40x", and there is no InferenceClass of that name; did you mean "l40s"?',
    ],
  ],
  [
    'a class that is near to none, with those that are known',
    [...platform, deployment({ model, placement: { classes: ['mi300x'] } })],
    [
      'ModelDeployment "llama": spec.placement.classes[0] names "mi300x", and there is no InferenceClass of that name; known are "l4", "l40s"',
    ],
  ],
  [
    'a cluster of a claim',
    [...platform, deployment({ model, placement: { classes: ['l4'], clusterName: 'eurpoe' } })],
    [
      'ModelDeployment "llama": spec.placement.clusterName names "eurpoe", and there is no InferenceCluster of that name; did you mean "europe"?',
    ],
  ],
  [
    'a gateway and a deployment of a service',
    [...platform, llama, service('infrence', 'lama')],
    [
      'ModelService "api": spec.gatewayName names "infrence", and there is no InferenceGateway of that name; did you mean "inference"?',
      'ModelService "api": spec.routes[0].deploymentName names "lama", and there is no ModelDeployment of namespace "chat" of that name; did you mean "llama"?',
    ],
  ],
  [
    'a deployment that is only in another namespace, since a service reaches its own',
    [...platform, deployment({ model, placement: { classes: ['l4'] } }, 'coding'), service('inference', 'llama')],
    [
      'ModelService "api": spec.routes[0].deploymentName names "llama", and there is no ModelDeployment of namespace "chat" of that name; there is none at all',
    ],
  ],
  [
    'a model of the catalogue that is misspelt',
    [...platform, deployment({ model: { name: 'meta-llama/Llama-3.1-8B-Instuct' }, placement: { classes: ['l4'] } })],
    [
      'ModelDeployment "llama": spec.model.name names "meta-llama/Llama-3.1-8B-Instuct", and there is no model of the catalogue of that name; did you mean "meta-llama/Llama-3.1-8B-Instruct"?',
    ],
  ],
  [
    'no model whose facts the claim states itself',
    [
      ...platform,
      deployment({ model: { name: 'acme/private', facts: { layers: 4 } }, placement: { classes: ['l4'] } }),
    ],
    [],
  ],
  [
    'the cluster of a gateway',
    [
      { apiVersion, kind: 'InferenceCluster', metadata: { name: 'europe' } },
      { apiVersion, kind: 'InferenceGateway', metadata: { name: 'inference' }, spec: { clusterName: 'europa' } },
    ],
    [
      'InferenceGateway "inference": spec.clusterName names "europa", and there is no InferenceCluster of that name; did you mean "europe"?',
    ],
  ],
];

test.each(sentences)('findUnknownNames names %s', (_name, xrs, expected) => {
  expect(findUnknownNames(xrs).map(sayUnknownName)).toEqual(expected);
});

test('a long list of names is counted and not printed', () => {
  const [row] = findUnknownNames([deployment({ model: { name: '0/0' }, placement: { classes: [] } })]);
  expect(row === undefined ? '' : sayUnknownName(row)).toMatch(
    /there is no model of the catalogue of that name; none of the \d+ names that are known is near$/,
  );
});

describe('nearestName', () => {
  const names = fc.array(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { maxLength: 8 });
  const word = fc.stringMatching(/^[a-z0-9-]{1,12}$/);

  test('is one of the known names, of which none is nearer, at most half of it wrong', () => {
    fc.assert(
      fc.property(word, names, (name, known) => {
        const allowed = known.filter((candidate) => distance(name, candidate) <= candidate.length / 2);
        const nearest = nearestName(name, known);
        const edits = allowed.map((candidate) => distance(name, candidate));
        if (nearest === undefined) expect(allowed).toEqual([]);
        else {
          expect(allowed).toContain(nearest);
          expect(distance(name, nearest)).toBe(Math.min(...edits));
        }
      }),
    );
  });

  test('is the name itself where it is known', () => {
    fc.assert(
      fc.property(word, names, (name, known) => {
        expect(nearestName(name, [...known, name])).toBe(name);
      }),
    );
  });
});
