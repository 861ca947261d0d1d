import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Access, remoteNamespace, renderNamespace } from './access.ts';

const remote = Access.parse({ type: 'Remote', providerConfigName: 'tokyo' });
const prefixed = Access.parse({ type: 'Remote', providerConfigName: 'tokyo', namespacePrefix: 'hub-' });

test("a cluster that says nothing is the control plane's own", () => {
  expect(Access.parse({})).toEqual({ type: 'Local', namespace: 'crossplane-system', namespacePrefix: '' });
});

const names: readonly [string, Access, string, string][] = [
  ['of the same name without a prefix', remote, 'chat', 'chat'],
  ['behind the prefix', prefixed, 'chat', 'hub-chat'],
  ['cut with a hash where it would be longer than 63', prefixed, 'a'.repeat(63), `hub-${'a'.repeat(50)}-d25f6cc0`],
];

test.each(names)('the namespace on a Remote cluster is %s', (_name, access, namespace, expected) => {
  const found = remoteNamespace(access, namespace);
  expect(found).toBe(expected);
  expect(found.length).toBeLessThanOrEqual(63);
});

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);

test('S2 two namespaces never share one on the cluster, of one control plane or of two with different prefixes', () => {
  const prefix = fc.stringMatching(/^[a-z]{0,10}$/).map((word) => (word === '' ? '' : `${word}-`));
  fc.assert(
    fc.property(prefix, label, label, (namespacePrefix, left, right) => {
      fc.pre(left !== right);
      const access = { ...remote, namespacePrefix };
      expect(remoteNamespace(access, left)).not.toBe(remoteNamespace(access, right));
    }),
  );
  expect(remoteNamespace(remote, 'chat')).not.toBe(remoteNamespace(prefixed, 'chat'));
});

test('the namespace of the cluster is labelled as ours', () => {
  expect(renderNamespace(prefixed, 'chat')).toEqual({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'hub-chat', labels: { 'app.kubernetes.io/managed-by': 'modelberth' } },
  });
});
