import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { readPath } from '../kubernetes/object.ts';
import { remember } from '../kubernetes/remember.ts';
import type { Candidate } from './candidate.ts';
import { type ReplicaIdentity, renderNodeGroups, replicaLabel, resizeNodeGroup } from './node-group.ts';
import { eksWith, europeWith, l4 } from './sample-placement.ts';

const eks = eksWith('subnet-0a1', 'subnet-0b2');
const cluster = europeWith('subnet-0a1', 'subnet-0b2');

const nodeType = { accelerators: 1, allocatableCpu: 3920, allocatableMemory: 14e9 };

const candidate: Candidate = {
  cluster,
  hardwareClass: l4,
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  market: 'OnDemand',
  nodeTypes: [
    { ...nodeType, instanceType: 'g6.xlarge', usdPerHour: 0.8048 },
    { ...nodeType, instanceType: 'g6.2xlarge', usdPerHour: 0.9776 },
  ],
  usdPerHour: 0.9776,
  verdict: { verdict: 'Unsupported', missing: [] },
};

const replica: ReplicaIdentity = { namespace: 'chat', name: 'llama-0', deployment: 'llama' };

function only(rendered: readonly KubernetesObject[]): KubernetesObject {
  expect(rendered.length).toBe(1);
  const [object] = rendered;
  if (object === undefined) throw new Error('no node group was rendered');
  return object;
}

function nameOf(changed: Partial<Candidate>, who: ReplicaIdentity = replica): string | undefined {
  return renderNodeGroups({ ...candidate, ...changed }, who)[0]?.metadata.name;
}

test('L10 L14 renderNodeGroups asks for nothing yet, in every zone, and leaves no room for an autoscaler', () => {
  const object = only(renderNodeGroups(candidate, replica));
  const name = object.metadata.name ?? '';
  expect(name).toMatch(/^llama-0-l4-[0-9a-f]{8}$/);
  const labels = {
    'modelberth.dev/node': 'accelerator',
    'modelberth.dev/deployment': 'llama',
    'modelberth.dev/replica': 'chat.llama-0',
    'modelberth.dev/class': 'l4',
    'modelberth.dev/market': 'OnDemand',
  };
  expect(object).toEqual({
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/managed-by': 'modelberth', ...labels },
      annotations: {
        'crossplane.io/external-name': name,
        'modelberth.dev/rung': 'l4/1x1-tp1-pp1/OnDemand',
        'modelberth.dev/usd-per-hour': '0.9776',
      },
    },
    spec: {
      forProvider: {
        clusterName: 'inference-europe',
        region: 'eu-west-1',
        nodeRoleArn: 'arn:aws:iam::111122223333:role/node',
        subnetIds: ['subnet-0a1', 'subnet-0b2'],
        instanceTypes: ['g6.xlarge', 'g6.2xlarge'],
        capacityType: 'ON_DEMAND',
        amiType: 'AL2023_x86_64_NVIDIA',
        diskSize: 200,
        labels,
        taint: [{ key: 'modelberth.dev/accelerator', value: 'true', effect: 'NO_SCHEDULE' }],
        tags: { ...labels, Name: name },
        updateConfig: { maxUnavailable: 1 },
        scalingConfig: { minSize: 0, desiredSize: 0, maxSize: 1 },
      },
      providerConfigRef: { kind: 'ClusterProviderConfig', name: 'default' },
    },
  });
});

test('L7 a rung of the spot market has its own capacity type, and a taint that only engines rendered for it tolerate', () => {
  const { metadata, spec } = only(renderNodeGroups({ ...candidate, market: 'Spot' }, replica));
  expect(metadata.annotations?.['modelberth.dev/rung']).toBe('l4/1x1-tp1-pp1/Spot');
  expect(readPath(spec, ['forProvider', 'capacityType'])).toBe('SPOT');
  expect(readPath(spec, ['forProvider', 'labels', 'modelberth.dev/market'])).toBe('Spot');
  expect(readPath(spec, ['forProvider', 'taint'])).toEqual([
    { key: 'modelberth.dev/accelerator', value: 'true', effect: 'NO_SCHEDULE' },
    { key: 'modelberth.dev/spot', value: 'true', effect: 'NO_SCHEDULE' },
  ]);
});

test('L10 every group of a rung of one zone has the subnets of that zone, in its own name', () => {
  const [shape, zone] = [{ ...candidate.shape, nodes: 2, pipelineParallelSize: 2 }, 'eu-west-1b'];
  const groups = renderNodeGroups({ ...candidate, shape, zone }, replica);
  expect(groups.map((group) => readPath(group, ['spec', 'forProvider', 'subnetIds']))).toEqual([
    ['subnet-0b2'],
    ['subnet-0b2'],
  ]);
  expect(groups[0]?.metadata.annotations?.['modelberth.dev/rung']).toBe('l4/2x1-tp1-pp2/OnDemand/eu-west-1b');
});

const steady: readonly [string, Partial<Candidate>][] = [
  [
    'a price changes',
    { usdPerHour: 1.2, nodeTypes: candidate.nodeTypes.map((type) => ({ ...type, usdPerHour: 1.2 })) },
  ],
  ['the day of the prices changes', { hardwareClass: { ...l4, priceReadOn: '2026-12-01' } }],
  [
    'facts of the accelerator are corrected',
    { hardwareClass: { ...l4, accelerator: { ...l4.accelerator, memory: 1 } } },
  ],
  [
    'allocatable memory is corrected',
    { nodeTypes: candidate.nodeTypes.map((type) => ({ ...type, allocatableMemory: 1 })) },
  ],
  [
    'the class gains a type of another size',
    { hardwareClass: { ...l4, nodeTypes: [{ ...nodeType, instanceType: 'g6.12xlarge' }] } },
  ],
  ['allocation changes', { cluster: { ...cluster, allocation: 'DevicePlugin' } }],
  ['the quota changes', { cluster: { ...cluster, maxNodeGroups: 5 } }],
  ['the provider config is renamed', { cluster: { ...cluster, eks: { ...eks, providerConfigName: 'aws' } } }],
  [
    'a zone is written in another way',
    { cluster: { ...cluster, eks: { ...eks, subnets: eks.subnets.map(({ id }) => ({ id, zone: 'a' })) } } },
  ],
  [
    'the subnets are listed in another order',
    { cluster: { ...cluster, eks: { ...eks, subnets: eks.subnets.toReversed() } } },
  ],
  ['the fit is computed in another way', { verdict: { verdict: 'Unsupported', missing: ['spec.model.facts.layers'] } }],
];

test.each(steady)('L12 S2 the name of a node group stays when %s', (_name, changed) => {
  expect(nameOf(changed)).toBe(nameOf({}));
});

const moved: readonly [string, Partial<Candidate>, ReplicaIdentity?][] = [
  ['the EKS cluster is another', { cluster: { ...cluster, eks: { ...eks, name: 'inference-north' } } }],
  ['a subnet is another', { cluster: { ...cluster, eks: { ...eks, subnets: eks.subnets.slice(1) } } }],
  [
    'the role is another',
    { cluster: { ...cluster, eks: { ...eks, nodeRoleArn: 'arn:aws:iam::111122223333:role/other' } } },
  ],
  ['the instance types are others', { nodeTypes: candidate.nodeTypes.slice(1) }],
  ['the image type is another', { hardwareClass: { ...l4, amiType: 'BOTTLEROCKET_x86_64_NVIDIA' } }],
  ['the replica is another', {}, { ...replica, name: 'llama-1' }],
  ['the namespace is another', {}, { ...replica, namespace: 'code' }],
];

test.each(moved)('S2 the name of a node group is another when %s', (_name, changed, who = replica) => {
  expect(nameOf(changed, who)).not.toBe(nameOf({}));
});

const someCandidate = fc
  .record({
    className: fc.constantFrom('l4', 'l4-spare', 'a-class-with-a-name-that-is-rather-long-for-a-class'),
    nodes: fc.integer({ min: 1, max: 3 }),
    types: fc.constantFrom(1, 2),
    ami: fc.constantFrom('AL2023_x86_64_NVIDIA', 'BOTTLEROCKET_x86_64_NVIDIA'),
  })
  .map(
    ({ className, nodes, types, ami }): Candidate => ({
      ...candidate,
      hardwareClass: { ...l4, name: className, amiType: ami },
      shape: { nodes, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: nodes },
      nodeTypes: candidate.nodeTypes.slice(0, types),
    }),
  );
const someReplica = fc.constantFrom('llama-0', `${'long-'.repeat(11)}name-0`);

test('S2 L12 names are DNS labels of at most 63 characters, and no two nodes of one replica share one', () => {
  const rungOf = (one: Candidate) =>
    [one.hardwareClass.name, one.shape.nodes, one.nodeTypes.length, one.hardwareClass.amiType].join('/');
  fc.assert(
    fc.property(fc.uniqueArray(someCandidate, { selector: rungOf, maxLength: 6 }), someReplica, (candidates, name) => {
      const groups = candidates.flatMap((one) => renderNodeGroups(one, { ...replica, name }));
      const names = groups.map((object) => object.metadata.name ?? '');
      expect(names.filter((one) => !/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(one))).toEqual([]);
      expect(groups.map((object) => object.metadata.annotations?.['crossplane.io/external-name'])).toEqual(names);
      expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
      expect(names.length).toBe(candidates.reduce((sum, one) => sum + one.shape.nodes, 0));
    }),
  );
});

const pairs: readonly [string, Partial<Candidate>, Partial<Candidate>, string][] = [
  [
    'L9 a gang of two nodes has the instance types of the single node',
    {},
    { shape: { nodes: 2, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 2 } },
    'llama-0',
  ],
  [
    'two classes list the same instance types and the name of the replica leaves no room for theirs',
    {},
    { hardwareClass: { ...l4, name: 'l4-spare' } },
    `${'long-'.repeat(11)}name-0`,
  ],
];

test.each(pairs)('S2 two rungs of one replica never share a node group when %s', (_name, left, right, name) => {
  expect(nameOf(left, { ...replica, name })).not.toBe(nameOf(right, { ...replica, name }));
});

const identities: readonly [
  string,
  Pick<ReplicaIdentity, 'namespace' | 'name'>,
  Pick<ReplicaIdentity, 'namespace' | 'name'>,
][] = [
  ['names differ', { namespace: 'chat', name: 'a-0' }, { namespace: 'chat', name: 'b-0' }],
  [
    'names are too long for a label',
    { namespace: 'n'.repeat(63), name: 'a-0' },
    { namespace: 'n'.repeat(63), name: 'b-0' },
  ],
  [
    'a dash could belong to the namespace or to the name',
    { namespace: 'team', name: 'a-b-0' },
    { namespace: 'team-a', name: 'b-0' },
  ],
];

test.each(identities)('S2 replicaLabel tells two replicas apart when %s', (_name, left, right) => {
  const labels = [replicaLabel(left), replicaLabel(right)];
  expect(labels.filter((label) => !/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(label))).toEqual([]);
  expect(labels[0]).not.toBe(labels[1]);
});

/** A group as the API server returns it: what we applied, and what a provider and a person added. */
function observedGroup(size: 0 | 1): KubernetesObject {
  const rendered = only(renderNodeGroups(candidate, replica));
  const asked = remember(rendered, { 'modelberth.dev/asked-at': '2026-12-01T10:00:00Z' });
  const spec = asked.spec;
  const forProvider = readPath(spec, ['forProvider']);
  const scalingConfig = { minSize: size, desiredSize: size, maxSize: 1 };
  return {
    ...asked,
    spec: { ...Object(spec), forProvider: { ...Object(forProvider), scalingConfig } },
    status: { atProvider: {} },
  };
}

const sizes: readonly [string, 0 | 1, 0 | 1][] = [
  ['it is raised', 0, 1],
  ['it is parked', 1, 0],
  ['it stays as it is', 1, 1],
];

test.each(sizes)('L14 S2 resizeNodeGroup changes nothing but the size, byte for byte, when %s', (_name, from, to) => {
  const { status: _status, ...expected } = observedGroup(to);
  expect(JSON.stringify(resizeNodeGroup(observedGroup(from), to))).toBe(JSON.stringify(expected));
});

test('S2 resizeNodeGroup leaves out what another manager owns, and keeps an older definition than we would render', () => {
  const older: KubernetesObject = {
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    metadata: {
      name: 'llama-0-l4-0f1e',
      managedFields: [
        {
          manager: 'apiextensions.crossplane.io/composed/0f1e',
          operation: 'Apply',
          fieldsV1: { 'f:spec': { 'f:forProvider': { 'f:amiType': {}, 'f:scalingConfig': { 'f:desiredSize': {} } } } },
        },
      ],
    },
    spec: {
      forProvider: { amiType: 'AL2_x86_64_GPU', version: '1.33', scalingConfig: { desiredSize: 1 } },
      deletionPolicy: 'Delete',
    },
  };
  expect(resizeNodeGroup(older, 0)).toEqual({
    apiVersion: 'eks.aws.m.upbound.io/v1beta1',
    kind: 'NodeGroup',
    metadata: { name: 'llama-0-l4-0f1e' },
    spec: { forProvider: { amiType: 'AL2_x86_64_GPU', scalingConfig: { minSize: 0, desiredSize: 0, maxSize: 1 } } },
  });
});

test('S4 remember adds memory beside what is there and replaces the same memory', () => {
  const object = remember(only(renderNodeGroups(candidate, replica)), { 'modelberth.dev/asked-at': 'first' });
  const parked = remember(object, { 'modelberth.dev/asked-at': '', 'modelberth.dev/parked-at': 'second' });
  expect(parked).toEqual({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: {
        ...object.metadata.annotations,
        'modelberth.dev/asked-at': '',
        'modelberth.dev/parked-at': 'second',
      },
    },
  });
});
