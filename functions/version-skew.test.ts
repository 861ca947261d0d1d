import { expect, test } from 'vitest';
import type { Condition } from '../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { composeNothing } from '../test/compose-nothing.ts';
import { conditionsOf, replicaXr, runEncoded } from '../test/run-encoded.ts';
import { skewCondition, type Versions } from './version-skew.ts';

function deployment(...conditions: readonly Condition[]): KubernetesObject {
  return {
    apiVersion: 'modelberth.dev/v1alpha1',
    kind: 'ModelDeployment',
    metadata: { name: 'mimo' },
    spec: {},
    status: { conditions },
  };
}

const skewed: Condition = {
  type: 'PackagesMatch',
  status: 'False',
  reason: 'VersionSkew',
  message:
    'The function of the placement step is of release "v0.2.0" and the Composition of "v0.1.0": bring the Configuration and its Functions to one release',
};
const match: Condition = {
  type: 'PackagesMatch',
  status: 'True',
  reason: 'Complete',
  message: 'All packages are of one release',
};
const skew: Versions = { composition: 'v0.1.0', function: 'v0.2.0' };
const same: Versions = { composition: 'v0.2.0', function: 'v0.2.0' };

const rows: readonly [string, KubernetesObject, Versions, Condition | undefined][] = [
  ['names both releases when they differ', deployment(), skew, skewed],
  ['names them on every pass', deployment(skewed), skew, skewed],
  ['says nothing when they never differed', deployment(), same, undefined],
  ['takes back what it said once they are the same', deployment(skewed), same, match],
  ['says nothing more once it has taken it back', deployment(match), same, undefined],
  [
    'leaves what another step said',
    deployment({ ...skewed, message: skewed.message.replace('placement', 'rollout-strategy') }),
    same,
    undefined,
  ],
  ['cannot tell for a Composition from the sources', deployment(), { ...skew, composition: undefined }, undefined],
  ['cannot tell for a function from the sources', deployment(), { ...skew, function: undefined }, undefined],
];

test.each(rows)('a step %s', (_name, xr, versions, expected) => {
  expect(skewCondition('placement', xr, versions)).toEqual(expected);
});

const input = { apiVersion: 'fn.modelberth.dev/v1alpha1', kind: 'PlacementInput', packageVersion: 'v0.1.0' };

test('a function of another release than its Composition answers, and says so', () => {
  const { response } = runEncoded('placement', composeNothing, { xr: replicaXr, input }, { packageVersion: 'v0.2.0' });
  expect(conditionsOf(response)).toEqual([skewed]);
  expect(response.results.map(({ reason }) => reason)).toEqual(['VersionSkew']);
});

test('S1 an older function that cannot read the Input of a newer Composition freezes, and says which is older', () => {
  const newer = { ...input, packageVersion: 'v0.2.0', fieldOfTomorrow: true };
  const old = { packageVersion: 'v0.1.0' };
  const { response } = runEncoded('placement', composeNothing, { xr: replicaXr, input: newer }, old);
  expect(conditionsOf(response)).toMatchObject([
    { type: 'Placed', status: 'Unknown', reason: 'InvalidInput' },
    {
      type: 'PackagesMatch',
      status: 'False',
      message: expect.stringMatching(/is of release "v0\.1\.0".* of "v0\.2\.0"/),
    },
  ]);
});
