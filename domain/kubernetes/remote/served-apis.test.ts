import { expect, test } from 'vitest';
import { features } from '../feature.ts';
import { servesApi } from './served-apis.ts';

const services = ['v1.', 'v1.apps', 'v1.leaderworkerset.x-k8s.io', 'v1.resource.k8s.io'].map((name) => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name },
}));

test('a cluster serves the groups and versions that it registered, and no others', () => {
  const found = [features.LeaderWorkerSet, features.DynamicResourceAllocation, features.AIGateway];
  expect(found.map(({ apiVersion }) => servesApi(services, apiVersion))).toEqual([true, true, false]);
  expect(servesApi(services, 'leaderworkerset.x-k8s.io/v1beta1')).toBe(false);
  expect(servesApi([], 'apps/v1')).toBe(false);
});
