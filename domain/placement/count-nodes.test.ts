import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { countNodes, type Ledger } from './count-nodes.ts';
import { isUsableNode } from './node.ts';

interface Sample {
  readonly class?: string;
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly cordoned?: boolean;
}

function node({ class: name, ready, cordoned = false }: Sample): KubernetesObject {
  const conditions = [{ type: 'MemoryPressure', status: 'True' }, ...(ready ? [{ type: 'Ready', status: ready }] : [])];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { labels: name === undefined ? {} : { 'modelberth.dev/class': name } },
    spec: cordoned ? { unschedulable: true } : {},
    status: { conditions },
  };
}

const usable: readonly [string, KubernetesObject, boolean][] = [
  ['its kubelet says Ready', node({ ready: 'True' }), true],
  ['its kubelet says that it is not', node({ ready: 'False' }), false],
  ['its kubelet is not heard', node({ ready: 'Unknown' }), false],
  ['it has not said anything yet', node({}), false],
  ['somebody has cordoned it', node({ ready: 'True', cordoned: true }), false],
  ['it has no status', { apiVersion: 'v1', kind: 'Node', metadata: {} }, false],
];

test.each(usable)('L11 isUsableNode tells whether an engine can start when %s', (_name, sample, expected) => {
  expect(isUsableNode(sample)).toBe(expected);
});

const nodeGroup: KubernetesObject = { apiVersion: 'eks.aws.m.upbound.io/v1beta1', kind: 'NodeGroup', metadata: {} };

const ledgers: readonly [string, readonly KubernetesObject[], number, Ledger][] = [
  ['nothing exists', [], 0, { nodes: 0, usableNodes: 0, nodeGroups: 0, classes: [] }],
  ['groups exist and no node has joined', [], 2, { nodes: 0, usableNodes: 0, nodeGroups: 2, classes: [] }],
  [
    'nodes of two classes have joined and one is not ready',
    [
      node({ class: 'l4', ready: 'True' }),
      node({ class: 'a10', ready: 'True' }),
      node({ class: 'l4', ready: 'False' }),
    ],
    3,
    {
      nodes: 3,
      usableNodes: 2,
      nodeGroups: 3,
      classes: [
        { class: 'a10', nodes: 1, usableNodes: 1 },
        { class: 'l4', nodes: 2, usableNodes: 1 },
      ],
    },
  ],
  [
    'a node does not say its class',
    [node({ ready: 'True' })],
    0,
    { nodes: 1, usableNodes: 1, nodeGroups: 0, classes: [{ class: 'unknown', nodes: 1, usableNodes: 1 }] },
  ],
];

test.each(ledgers)('countNodes counts by class when %s', (_name, nodes, groups, expected) => {
  expect(
    countNodes(
      nodes,
      Array.from({ length: groups }, () => nodeGroup),
    ),
  ).toEqual(expected);
});

test('S3 countNodes does not depend on the order of nodes, and the classes add up to the whole', () => {
  const someNode = fc.record({
    class: fc.constantFrom('l4', 'l40s', 'h100'),
    ready: fc.constantFrom('True' as const, 'False' as const),
    cordoned: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(someNode, { maxLength: 20 }), (samples) => {
      const ledger = countNodes(samples.map(node), []);
      expect(countNodes(samples.toReversed().map(node), [])).toEqual(ledger);
      const sum = (field: 'nodes' | 'usableNodes') => ledger.classes.reduce((all, one) => all + one[field], 0);
      expect([sum('nodes'), sum('usableNodes')]).toEqual([ledger.nodes, ledger.usableNodes]);
    }),
  );
});
