import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowsHost, readGuardrail, readPassedHosts } from './allowed-hosts.ts';

const table: readonly [string, readonly string[], string, boolean][] = [
  ['the list is empty', [], 'api.vendor.example', false],
  ['the name is listed', ['api.vendor.example'], 'api.vendor.example', true],
  ['a longer name ends with a listed one', ['vendor.example'], 'api.vendor.example', false],
  ['a name ends with an entry that begins with a dot', ['.vendor.example'], 'api.vendor.example', true],
  ['a name ends with it at another label', ['.vendor.example'], 'api.other-vendor.example', false],
  ['a name is what follows the dot', ['.vendor.example'], 'vendor.example', false],
];

test.each(table)('allowsHost answers when %s', (_name, allowed, hostname, expected) => {
  expect(allowsHost(allowed, hostname)).toBe(expected);
});

test('allowsHost never refuses what a longer list allows less of', () => {
  const name = fc.array(fc.constantFrom('api', 'vendor', 'example'), { minLength: 2, maxLength: 4 });
  const entry = fc.tuple(fc.boolean(), name).map(([dot, labels]) => `${dot ? '.' : ''}${labels.join('.')}`);
  fc.assert(
    fc.property(fc.array(entry), entry, name, (allowed, more, labels) => {
      const hostname = labels.join('.');
      if (allowsHost(allowed, hostname)) expect(allowsHost([...allowed, more], hostname)).toBe(true);
    }),
  );
});

const object = (kind: string, fields: Record<string, unknown>) => ({ apiVersion: 'v1', kind, metadata: {}, ...fields });
const guardrails: readonly [string, unknown, readonly string[] | undefined][] = [
  ['there are none', {}, []],
  ['they say nothing about external endpoints', { guardrails: {} }, []],
  [
    'they list host names',
    { guardrails: { externalEndpoints: ['b.example', '.a.example'] } },
    ['.a.example', 'b.example'],
  ],
  ['the list cannot be read', { guardrails: { externalEndpoints: 'all' } }, undefined],
];

test.each(guardrails)('readGuardrail reads the rule of a cluster when %s', (_name, spec, expected) => {
  expect(readGuardrail(object('InferenceCluster', { spec }))).toEqual(expected);
});

test('S5 readPassedHosts knows nothing while the gateway says nothing', () => {
  expect(readPassedHosts(object('InferenceGateway', {}))).toBeUndefined();
  expect(readPassedHosts(object('InferenceGateway', { status: 'broken' }))).toBeUndefined();
  expect(readPassedHosts(object('InferenceGateway', { status: { externalEndpoints: [] } }))).toEqual([]);
});
