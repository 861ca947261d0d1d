import { expect, test } from 'vitest';
import { renderUsage } from './usage.ts';

const deployment = {
  apiVersion: 'modelberth.dev/v1alpha1',
  kind: 'ModelDeployment',
  metadata: { name: 'llama', namespace: 'chat' },
};

test('renderUsage protects an object within its namespace', () => {
  expect(renderUsage(deployment, 'why')).toEqual({
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'Usage',
    metadata: {
      name: expect.stringMatching(/^modeldeployment-llama-/),
      labels: { 'app.kubernetes.io/managed-by': 'modelberth' },
    },
    spec: {
      of: { apiVersion: 'modelberth.dev/v1alpha1', kind: 'ModelDeployment', resourceRef: { name: 'llama' } },
      reason: 'why',
    },
  });
});

test('renderUsage protects an object without a namespace by a kind without one', () => {
  const gateway = { ...deployment, kind: 'InferenceGateway', metadata: { name: 'inference' } };
  expect(renderUsage(gateway, 'why').kind).toBe('ClusterUsage');
});

test('S2 renderUsage gives kinds of one name different names, and none beyond 63 characters', () => {
  const gateway = { ...deployment, kind: 'InferenceGateway' };
  const long = { ...deployment, metadata: { ...deployment.metadata, name: 'a'.repeat(63) } };
  const names = [deployment, gateway, long].map((object) => renderUsage(object, 'why').metadata.name ?? '');
  expect(new Set(names).size).toBe(3);
  expect(names.every((name) => name.length <= 63)).toBe(true);
});
