import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HardwareClass } from '../hardware/hardware-class.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Candidate } from './candidate.ts';
import { renderNodeGroups } from './node-group.ts';
import { observeRungs } from './observe-rungs.ts';
import { askedAt, countsAsAsked, type GroupView, type RungView } from './rung.ts';
import { europeWith } from './sample-placement.ts';

const cluster = europeWith();

function candidate(name: string, usdPerHour: number | undefined, nodes = 1): Candidate {
  const accelerator = { name, vendor: 'NVIDIA' as const, productName: name, memory: 1, visibleMemory: 1 };
  const hardwareClass: HardwareClass = { name, accelerator, nodeTypes: [], amiType: 'AL2023_x86_64_NVIDIA' };
  return {
    cluster,
    hardwareClass,
    shape: { nodes, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: nodes },
    market: 'OnDemand',
    nodeTypes: [],
    verdict: { verdict: 'Unsupported', missing: [] },
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
  };
}

const replica = { namespace: 'chat', name: 'llama-0', deployment: 'llama' };
const l4 = 'l4/1x1-tp1-pp1/OnDemand';
const created = '2026-12-01T09:00:00Z';
const asked = '2026-12-01T10:00:00Z';

interface GroupRow {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly size?: number;
  readonly atProvider?: Readonly<Record<string, unknown>>;
}

const memory = { 'modelberth.dev/rung': l4, 'modelberth.dev/usd-per-hour': '0.9776', 'modelberth.dev/asked-at': asked };

function nodeGroup(name: string, { annotations = memory, size = 1, atProvider }: GroupRow): KubernetesObject {
  return {
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    metadata: {
      name,
      creationTimestamp: created,
      annotations: { 'crossplane.io/external-name': name, ...annotations },
    },
    spec: { forProvider: { scalingConfig: { desiredSize: size } } },
    ...(atProvider === undefined ? {} : { status: { atProvider } }),
  };
}

function node(group: string, ready: 'True' | 'False'): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-of-${group}`, labels: { 'eks.amazonaws.com/nodegroup': group } },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  };
}

function observe(
  candidates: readonly Candidate[],
  groups: Readonly<Record<string, GroupRow>>,
  nodes: readonly KubernetesObject[] = [],
): readonly RungView[] {
  const objects = Object.entries(groups).map(([name, row]) => [`pool-${name}`, nodeGroup(name, row)] as const);
  return observeRungs({ candidates, groups: new Map(objects), nodes, replica });
}

const [ownGroup] = renderNodeGroups(candidate('l4', 0.9), replica);
const ownName = ownGroup?.metadata.name ?? '';
const view: GroupView = { key: 'pool-a', name: 'a', specSize: 1, joined: 0, usable: 0, askedAt: asked };
const rung: RungView = { name: l4, nodes: 1, usdPerHour: 0.9776, groups: [view], allowed: true };

const table: readonly [string, readonly RungView[], readonly RungView[]][] = [
  [
    'nothing exists, so that prices are those of the candidates',
    observe([candidate('l4', 0.9), candidate('l40s', undefined)], {}),
    [
      { name: l4, nodes: 1, usdPerHour: 0.9, groups: [], allowed: true },
      { name: 'l40s/1x1-tp1-pp1/OnDemand', nodes: 1, usdPerHour: 0, isUnpriced: true, groups: [], allowed: true },
    ],
  ],
  [
    'L11 EKS gave up on a group and its node joined all the same',
    observe(
      [candidate('l4', 0.9)],
      { a: { atProvider: { status: 'CREATE_FAILED', scalingConfig: { desiredSize: 1 } } } },
      [node('a', 'True'), node('other', 'True')],
    ),
    [{ ...rung, groups: [{ ...view, observedSize: 1, providerStatus: 'CREATE_FAILED', joined: 1, usable: 1 }] }],
  ],
  [
    'a node has joined and is not ready',
    observe([candidate('l4', 0.9)], { a: {} }, [node('a', 'False')]),
    [{ ...rung, groups: [{ ...view, joined: 1, usable: 0 }] }],
  ],
  [
    'S2 the catalogue has another price now, and the group keeps the one that it was asked for',
    observe([candidate('l4', 3)], { a: {} }),
    [rung],
  ],
  [
    'S2 L12 the catalogue has lost the class of a group',
    observe([candidate('l40s', 1.861)], { a: {} }),
    [
      { name: 'l40s/1x1-tp1-pp1/OnDemand', nodes: 1, usdPerHour: 1.861, groups: [], allowed: true },
      { ...rung, allowed: false },
    ],
  ],
  [
    'L9 a gang that is no candidate any more still says how many nodes it wants',
    observe([], { a: { annotations: { ...memory, 'modelberth.dev/rung': 'l4/3x1-tp1-pp3/OnDemand' } } }),
    [{ ...rung, name: 'l4/3x1-tp1-pp3/OnDemand', nodes: 3, allowed: false }],
  ],
  [
    'a group was parked',
    observe([candidate('l4', 0.9)], {
      a: {
        size: 0,
        annotations: { ...memory, 'modelberth.dev/asked-at': '', 'modelberth.dev/parked-at': asked },
        atProvider: { status: 'ACTIVE', scalingConfig: { desiredSize: 0 } },
      },
    }),
    [
      {
        ...rung,
        groups: [
          {
            key: 'pool-a',
            name: 'a',
            specSize: 0,
            observedSize: 0,
            providerStatus: 'ACTIVE',
            joined: 0,
            usable: 0,
            parkedAt: asked,
          },
        ],
      },
    ],
  ],
  [
    'S1 somebody removed the memory of asking from a group with a size, so that its creation counts',
    observe([candidate('l4', 0.9)], { a: { annotations: { ...memory, 'modelberth.dev/asked-at': '' } } }),
    [{ ...rung, groups: [{ ...view, askedAt: created }] }],
  ],
  [
    'S1 the memory of asking cannot be read',
    observe([candidate('l4', 0.9)], { a: { annotations: { ...memory, 'modelberth.dev/asked-at': 'noon' } } }),
    [{ ...rung, groups: [{ ...view, askedAt: created }] }],
  ],
  [
    'S1 every annotation of ours is gone',
    observe([candidate('l4', 0.9)], { a: { annotations: {} } }),
    [
      { name: l4, nodes: 1, usdPerHour: 0.9, groups: [], allowed: true },
      {
        ...rung,
        name: 'unknown',
        usdPerHour: 0,
        isUnpriced: true,
        groups: [{ ...view, askedAt: created }],
        allowed: false,
      },
    ],
  ],
  [
    'S1 S2 every annotation of ours is gone from a group whose name says which rung it is of',
    observe([candidate('l4', 0.9)], { [ownName]: { annotations: {} } }),
    [{ ...rung, usdPerHour: 0.9, groups: [{ ...view, key: `pool-${ownName}`, name: ownName, askedAt: created }] }],
  ],
  [
    'L3 the price of a group is gone, so that the price of its candidate counts, never nothing',
    observe([candidate('l4', 0.9)], { a: { annotations: { ...memory, 'modelberth.dev/usd-per-hour': '' } } }),
    [{ ...rung, usdPerHour: 0.9 }],
  ],
  [
    'L3 the price of a group cannot be read, so that the price of its candidate counts',
    observe([candidate('l4', 0.9)], { a: { annotations: { ...memory, 'modelberth.dev/usd-per-hour': 'cheap' } } }),
    [{ ...rung, usdPerHour: 0.9 }],
  ],
];

test.each(table)('observeRungs sees the ladder when %s', (_name, seen, expected) => {
  expect(seen).toEqual(expected);
});

const someText = fc.constantFrom('', 'noon', asked, '0.9776', l4, 'l40s/2x1-tp1-pp2/OnDemand');
const someGroups = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.record({
    size: fc.constantFrom(0, 1),
    annotations: fc.dictionary(
      fc.constantFrom(
        'modelberth.dev/rung',
        'modelberth.dev/usd-per-hour',
        'modelberth.dev/asked-at',
        'modelberth.dev/parked-at',
      ),
      someText,
    ),
  }),
);

test('S1 observeRungs loses no group and takes none with a size for a parked one, whatever its annotations say', () => {
  fc.assert(
    fc.property(someGroups, (groups) => {
      const rungs = observe([candidate('l4', 0.9), candidate('l40s', 1.861, 2)], groups);
      const keys = rungs.flatMap((one) => one.groups.map(({ key }) => key));
      expect(keys.sort()).toEqual(
        Object.keys(groups)
          .map((name) => `pool-${name}`)
          .sort(),
      );
      const sized = rungs.filter((one) => one.groups.some(({ specSize }) => specSize > 0));
      expect(sized.filter((one) => askedAt(one) === undefined || !countsAsAsked(one))).toEqual([]);
    }),
  );
});
