import { expect, test } from 'vitest';
import { definitions } from '../../apis/definitions.ts';
import { readSpec } from '../../functions/freeze.ts';
import { readExample, setAt } from './claim-row.ts';

/**
 * Texts that are copied into a field of a composed object that Kubernetes validates by itself: one refused object
 * aborts the whole pass of Crossplane, so a typing error here would stop every other change of the XR too. Each row
 * ends with what refuses it (Kubernetes 1.35: apimachinery ValidateLabelSelector, core ValidateConfigMapKey and
 * ValidateIPv4OrIPv6CIDR).
 */
const copied: readonly [string, string, unknown, string][] = [
  ['inferenceclusters', 'spec.namespaces.gateway', 'Not a name', 'a label value in the NetworkPolicy of each engine'],
  [
    'inferenceclusters',
    'spec.namespaces.monitoring',
    'Not a name',
    'a label value in the NetworkPolicy of each engine',
  ],
  ['inferenceclusters', 'spec.pools[0].taints[0].key', 'a key', 'the key of a toleration of each engine there'],
  ['inferenceclusters', 'spec.pools[0].nodeSelector', { 'a key': 'x' }, 'the node affinity of each engine there'],
  ['modeldeployments', 'spec.model.hubTokenSecret.key', 'a key', 'the key of a Secret in the pod of each engine'],
  [
    'inferencegateways',
    'spec.loadBalancer.sourceRanges[0]',
    '10.0.0.0',
    "a CIDR in the Service of the gateway's Envoy",
  ],
];

test.each(copied)('S1 a claim of %s whose %s is "%s" is refused, because it becomes %s', (plural, path, value) => {
  const definition = definitions.find((known) => known.plural === plural);
  const claim = setAt(readExample(plural), path, value);
  const read = definition === undefined ? undefined : readSpec(claim, definition.spec);
  expect(read?.state === 'Invalid' ? read.why : 'accepted').toContain(`: ${path}: `);
});
