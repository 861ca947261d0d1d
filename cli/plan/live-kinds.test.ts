import { expect, test } from 'vitest';
import { checks } from '../../domain/readiness/checks.ts';
import { readInstalledKinds } from '../crossplane/package-files.ts';
import { kubectlFor, liveKinds } from './live-kinds.ts';

/** What the functions read and do not compose. */
const read = ['EndpointSlice', 'Node', 'Object', 'ObservedObjectCollection', 'Pod'];
/** What is composed and not asked for: nobody's keys are needed for a plan. */
const unasked = ['Secret'];

test('a live state has every kind that is ours, composed or read, but for Secrets', () => {
  const wanted = [...readInstalledKinds().keys(), ...Object.keys(checks), ...read];
  expect(Object.keys(liveKinds).sort()).toEqual([...new Set(wanted)].filter((kind) => !unasked.includes(kind)).sort());
});

test('kubectl prints what is missing', () => {
  expect(kubectlFor(['Pod', 'NodeGroup'])).toBe(
    'kubectl get --all-namespaces -o yaml pods,nodegroups.eks.aws.m.upbound.io',
  );
});
