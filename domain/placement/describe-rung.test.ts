import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { describeGroup, describeNext, describeRung, describeWhere, type NextQuestion } from './describe-rung.ts';
import type { GroupView, RungView } from './rung.ts';

const group: GroupView = { key: 'pool-a', name: 'a', specSize: 1, joined: 0, usable: 0 };

function rung(name: string, ...groups: Partial<GroupView>[]): RungView {
  const views = groups.map((one) => ({ ...group, ...one }));
  return { name, nodes: Math.max(1, groups.length), usdPerHour: 0.98, groups: views, allowed: true };
}

const nodeGroup: KubernetesObject = {
  apiVersion: 'eks.aws.m.upbound.io/v1beta1',
  kind: 'NodeGroup',
  metadata: {},
  spec: {
    forProvider: { instanceTypes: ['g6.xlarge', 'g6.2xlarge'], subnetIds: ['subnet-1', 'subnet-2', 'subnet-3'] },
  },
};
const subnets = (...zones: readonly string[]) => zones.map((zone, index) => ({ id: `subnet-${index + 1}`, zone }));

test('describeGroup says what is asked for and what came of it', () => {
  expect([
    describeGroup(nodeGroup, subnets('a', 'b', 'c'), 0),
    describeGroup(nodeGroup, subnets('a', 'a', 'a'), 1),
  ]).toEqual([
    'g6.xlarge, g6.2xlarge on-demand, 3 zones; 0 of 1 node joined',
    'g6.xlarge, g6.2xlarge on-demand, 1 zone; 1 of 1 node joined',
  ]);
});

test('S5 describeGroup counts the zones of the group, whatever the cluster lists since', () => {
  const added = [...subnets('a', 'a', 'b'), { id: 'subnet-4', zone: 'd' }];
  expect(describeGroup(nodeGroup, added, 0)).toContain(', 2 zones; ');
  expect(describeGroup(nodeGroup, [{ id: 'subnet-4', zone: 'd' }], 0)).toContain(', 3 zones; ');
});

const rows: readonly [string, Parameters<typeof describeRung>[0], Record<string, unknown>][] = [
  [
    'it was never asked',
    { rung: rung('l4'), wanted: 'Untouched', state: 'Free' },
    { rung: 'l4', state: 'Free', usdPerHour: 0.98, nodes: '0 of 1' },
  ],
  [
    'L11 what the provider says is evidence beside the state',
    {
      rung: rung('l4', { askedAt: '2026-12-01T10:00:00Z', providerStatus: 'CREATE_FAILED' }),
      wanted: 'Asked',
      state: 'Asked',
    },
    {
      rung: 'l4',
      state: 'Asked',
      usdPerHour: 0.98,
      nodes: '0 of 1',
      askedAt: '2026-12-01T10:00:00Z',
      evidence: 'provider says CREATE_FAILED',
    },
  ],
  [
    'L9 S3 the groups of a gang have different statuses, which are sorted',
    {
      rung: rung(
        'gang',
        { providerStatus: 'DEGRADED', joined: 1 },
        { providerStatus: 'ACTIVE' },
        { providerStatus: 'ACTIVE' },
      ),
      wanted: 'Asked',
      state: 'Arriving',
    },
    { rung: 'gang', state: 'Arriving', usdPerHour: 0.98, nodes: '1 of 3', evidence: 'provider says ACTIVE, DEGRADED' },
  ],
];

test.each(rows)('describeRung is a row of the status when %s', (_name, decision, expected) => {
  expect(describeRung(decision)).toEqual(expected);
});

const next = { rung: { ...rung('l40s'), usdPerHour: 1.86 }, afterMinutes: 12, totalUsdPerHour: 2.84 };
const types = ['g6e.xlarge', 'g6e.2xlarge'];

const nexts: readonly [string, NextQuestion, string][] = [
  [
    'nothing is asked and there is no budget',
    { next, instanceTypes: types, askedRungs: 0, budget: undefined },
    'ask g6e.xlarge, g6e.2xlarge (USD 1.86/h)',
  ],
  [
    'nothing is asked',
    { next, instanceTypes: types, askedRungs: 0, budget: 3 },
    'ask g6e.xlarge, g6e.2xlarge (USD 1.86/h, within the budget of 3.00)',
  ],
  [
    'one rung is asked',
    { next, instanceTypes: types, askedRungs: 1, budget: 3 },
    'at 12 min without a node, ask g6e.xlarge, g6e.2xlarge beside it (USD 1.86/h; both 2.84, within the budget of 3.00)',
  ],
  [
    'two rungs are asked and the types of the next are not known',
    { next, instanceTypes: [], askedRungs: 2, budget: undefined },
    'at 12 min without a node, ask l40s beside it (USD 1.86/h; all 2.84)',
  ],
  [
    'L10 the next rung asks for the same types in one zone',
    {
      next: { ...next, rung: { ...next.rung, name: 'l40s/2x1-tp1-pp2/Spot/eu-west-1b' } },
      instanceTypes: ['g6e.xlarge'],
      askedRungs: 0,
      budget: undefined,
    },
    'ask g6e.xlarge on spot in eu-west-1b (USD 1.86/h)',
  ],
  [
    'L3 the price of the next rung is unknown, which is not nothing',
    {
      next: { ...next, rung: { ...next.rung, usdPerHour: 0, isUnpriced: true } },
      instanceTypes: ['g6e.xlarge'],
      askedRungs: 0,
      budget: undefined,
    },
    'ask g6e.xlarge (price unknown)',
  ],
];

test.each(nexts)(
  'L3 describeNext says what would be asked and what it would cost when %s',
  (_name, question, expected) => {
    expect(describeNext(question)).toBe(expected);
  },
);

function nodeIn(nodeGroupName: string, zone?: string): KubernetesObject {
  const zoned = zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { labels: { 'eks.amazonaws.com/nodegroup': nodeGroupName, ...zoned } },
  };
}

const places: readonly [string, readonly KubernetesObject[], object][] = [
  ['no node says its zone', [nodeIn('a')], { class: 'l4' }],
  [
    'S3 the nodes of a gang are in two zones, which are sorted',
    [nodeIn('b', 'eu-west-1b'), nodeIn('a', 'eu-west-1a')],
    { class: 'l4', zone: 'eu-west-1a, eu-west-1b' },
  ],
  [
    'two nodes are in one zone',
    [nodeIn('a', 'eu-west-1a'), nodeIn('b', 'eu-west-1a')],
    { class: 'l4', zone: 'eu-west-1a' },
  ],
  [
    'S5 a node of another rung joined elsewhere',
    [nodeIn('a', 'eu-west-1a'), nodeIn('c', 'eu-west-1c')],
    { class: 'l4', zone: 'eu-west-1a' },
  ],
];
test.each(places)('describeWhere says class and zones of the rung where %s', (_name, nodes, expected) => {
  expect(describeWhere(rung('l4/2x1-tp1-pp2/OnDemand', { name: 'a' }, { name: 'b' }), nodes)).toEqual(expected);
});
