import { expect, test } from 'vitest';
import { type Feature, featureNames, features, hasFeature } from './feature.ts';
import { apiVersion, group } from './label.ts';
import type { KubernetesObject } from './object.ts';

function cluster(status: unknown): KubernetesObject {
  return { apiVersion, kind: 'InferenceCluster', metadata: { name: 'europe' }, status };
}

const published: readonly [string, unknown, boolean | undefined][] = [
  ['it was seen', { features: { PrometheusOperator: true } }, true],
  ['it was seen to be absent', { features: { PrometheusOperator: false } }, false],
  ['another feature was seen', { features: { GatewayAPI: true } }, undefined],
  ['nothing was published yet', undefined, undefined],
  ['features cannot be read', { features: 'all' }, undefined],
  ['its value is no boolean', { features: { PrometheusOperator: 'true' } }, undefined],
];

test.each(published)('S8 hasFeature says only what was observed when %s', (_name, status, expected) => {
  expect(hasFeature(cluster(status), 'PrometheusOperator')).toBe(expected);
});

test('S8 every feature names a kind of somebody else and what to install', () => {
  const wrong = featureNames.filter((name) => {
    const { apiVersion: kindVersion, kind, install }: Feature = features[name];
    return !kindVersion.includes('/') || kindVersion.startsWith(group) || kind === '' || install === '';
  });
  expect(featureNames.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});
