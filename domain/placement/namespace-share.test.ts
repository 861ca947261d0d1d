import { expect, test } from 'vitest';
import { Guardrails } from '../hardware/guardrails.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { explainCap, type NamespaceShare, readNamespaceShare } from './namespace-share.ts';

const replica = { namespace: 'chat', name: 'llama-0' };
const capped = Guardrails.parse({ perNamespace: { usdPerHour: 10 } });

function cluster(...grants: readonly (readonly [string, string, number])[]): KubernetesObject {
  const rows = grants.map(([namespace, name, usdPerHour]) => ({ namespace, replica: name, usdPerHour }));
  const status = { ledger: { grants: rows } };
  return { apiVersion: 'a/v1', kind: 'InferenceCluster', metadata: { name: 'europe' }, status } as KubernetesObject;
}

test.each([
  ['there is no cap', {}],
  ['the caps are empty', { perNamespace: {} }],
])('readNamespaceShare knows of no share where %s', (_name, rules) => {
  expect(readNamespaceShare(cluster(['chat', 'llama-0', 4]), Guardrails.parse(rules), replica)).toBeUndefined();
});

const owned = { namespace: 'chat', owner: 'InferenceCluster "europe"', cap: 10 };

test.each([
  [
    'its own grant and the sum of the others of its namespace',
    [
      ['chat', 'llama-0', 4],
      ['chat', 'qwen-0', 2],
      ['chat', 'qwen-1', 3],
      ['code', 'llama-0', 9],
    ],
    4,
    5,
  ],
  ['nothing granted where the ledger does not list it', [['chat', 'qwen-0', 2]], 0, 2],
  ['nothing granted where there is no ledger', [], 0, 0],
] as const)('L3 readNamespaceShare reads %s', (_name, grants, granted, others) => {
  expect(readNamespaceShare(cluster(...grants), capped, replica)).toEqual({ ...owned, granted, others });
});

const share = (others: number, granted = 0): NamespaceShare => ({ ...owned, granted, others });
const rule = 'InferenceCluster "europe" allows namespace "chat" USD 10.00/h';
const fix = 'release replicas, allow a cheaper class, or let its owner raise spec.guardrails.perNamespace.usdPerHour';

test.each([
  ['it has room', 4, 6, undefined],
  ['it is too dear alone', 11, 0, `l4 (1 x L4) costs USD 11.00/h and ${rule}: ${fix}`],
  [
    'L3 it is too dear beside the others, with the sum',
    4,
    7,
    `l4 (1 x L4) costs USD 4.00/h beside USD 7.00/h of other replicas, together USD 11.00/h, and ${rule}: ${fix}`,
  ],
  [
    'its price is unknown',
    undefined,
    0,
    `l4 (1 x L4) has no known price, and ${rule}: set usdPerHour of the node types of its class`,
  ],
])('explainCap where %s', (_name, price, others, message) => {
  expect(explainCap('l4 (1 x L4)', price, share(others))).toBe(message);
});

test('S1 explainCap refuses nothing that was granted, when the cap is lowered below it', () => {
  expect(explainCap('l4 (1 x L4)', 4, share(9, 4))).toBeUndefined();
  expect(explainCap('l4 (1 x L4)', 4.01, share(9, 4))).toMatch(/together USD 13\.01\/h/);
});
