import { expect, test } from 'vitest';
import { Guardrails } from '../hardware/guardrails.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { explainCaps, type NamespaceShare, readNamespaceShares } from './namespace-share.ts';

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
])('readNamespaceShares knows of no share where %s', (_name, rules) => {
  expect(
    readNamespaceShares({ object: cluster(['chat', 'llama-0', 4]), guardrails: Guardrails.parse(rules) }, [], replica),
  ).toBeUndefined();
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
] as const)('L3 readNamespaceShares reads %s', (_name, grants, granted, others) => {
  expect(readNamespaceShares({ object: cluster(...grants), guardrails: capped }, [], replica)).toEqual({
    usdPerHour: { ...owned, granted, others },
  });
});

const share = (others: number, granted = 0): NamespaceShare => ({ ...owned, granted, others });
function explain(usdPerHour: number | undefined, room: NamespaceShare): readonly string[] {
  return explainCaps('l4 (1 x L4)', { usdPerHour, accelerators: 1 }, { usdPerHour: room });
}

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
])('explainCaps where %s', (_name, price, others, message) => {
  expect(explain(price, share(others))).toEqual(message === undefined ? [] : [message]);
});

test('S1 explainCaps refuses nothing that was granted, when the cap is lowered below it', () => {
  expect(explain(4, share(9, 4))).toEqual([]);
  expect(explain(4.01, share(9, 4))[0]).toMatch(/together USD 13\.01\/h/);
});

test('L3 readNamespaceShares reads the cap on accelerators beside the one on dollars', () => {
  const rows = [
    { namespace: 'chat', replica: 'llama-0', usdPerHour: 4, accelerators: 2 },
    { namespace: 'chat', replica: 'qwen-0', usdPerHour: 1, accelerators: 3 },
  ];
  const object = { ...cluster(), status: { ledger: { grants: rows } } };
  const rules = Guardrails.parse({ perNamespace: { usdPerHour: 10, accelerators: 8 } });
  expect(readNamespaceShares({ object, guardrails: rules }, [], replica)).toEqual({
    usdPerHour: { ...owned, granted: 4, others: 1 },
    accelerators: { ...owned, cap: 8, granted: 2, others: 3 },
  });
});

test('L3 explainCaps names each cap that a candidate is beyond, with its field', () => {
  const amounts = { usdPerHour: 11, accelerators: 4 };
  const room = { ...owned, cap: 8, granted: 0, others: 6 };
  expect(explainCaps('l4 (4 x L4)', amounts, { usdPerHour: share(0), accelerators: room })).toEqual([
    `l4 (4 x L4) costs USD 11.00/h and ${rule}: ${fix}`,
    'l4 (4 x L4) takes 4 accelerators beside 6 accelerators of other replicas, together 10 accelerators, and InferenceCluster "europe" allows namespace "chat" 8 accelerators: release replicas, allow a class with larger accelerators, or let its owner raise spec.guardrails.perNamespace.accelerators',
  ]);
});

test('L3 readNamespaceShares reads the caps of each class that has some, and names the class as their owner', () => {
  const rows = [
    { namespace: 'chat', replica: 'llama-0', accelerators: 1 },
    { namespace: 'chat', replica: 'qwen-0', accelerators: 2 },
  ];
  const object: KubernetesObject = {
    apiVersion: 'a/v1',
    kind: 'InferenceClass',
    metadata: { name: 'l4' },
    status: { ledger: { grants: rows } },
  };
  const open = { object: cluster(), guardrails: Guardrails.parse({}) };
  const owners = [
    { object, guardrails: { perNamespace: { accelerators: 3 } } },
    { object, guardrails: {} },
  ];
  const accelerators = { namespace: 'chat', owner: 'InferenceClass "l4"', cap: 3, granted: 1, others: 2 };
  expect(readNamespaceShares(open, owners, replica)).toEqual({ byClass: { l4: { accelerators } } });
});
