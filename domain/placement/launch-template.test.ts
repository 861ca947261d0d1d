import { expect, test } from 'vitest';
import type { HardwareClass } from '../hardware/hardware-class.ts';
import { type KubernetesObject, readPath } from '../kubernetes/object.ts';
import type { Candidate } from './candidate.ts';
import { renderNodeGroups, renderTemplate } from './node-group.ts';
import { europeWith, l4 } from './sample-placement.ts';

const cluster = europeWith('subnet-0a1', 'subnet-0b2');

const onDisks: HardwareClass = { ...l4, localStorage: 'RAID0' };

const odcr = {
  id: 'cr-0a1b',
  type: 'CapacityReservation' as const,
  instanceType: 'g6.xlarge',
  zone: 'eu-west-1b',
  count: 2,
};
const block = { ...odcr, type: 'CapacityBlock' as const, endsAt: '2026-12-02T12:00:00Z' };

const onDemand: Candidate = {
  cluster,
  hardwareClass: l4,
  shape: { nodes: 2, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 2 },
  market: 'OnDemand',
  nodeTypes: [{ instanceType: 'g6.xlarge', accelerators: 1, allocatableCpu: 3920, allocatableMemory: 14e9 }],
  verdict: { verdict: 'Unsupported', missing: [] },
};
const reserved: Candidate = { ...onDemand, market: 'Reservation', reservation: odcr, zone: odcr.zone };
const inBlock: Candidate = { ...reserved, reservation: block };
const replica = { namespace: 'chat', name: 'llama-0', deployment: 'llama' };

function template(candidate: Candidate): Readonly<Record<string, unknown>> {
  return readPath(renderTemplate(candidate, replica), ['spec', 'forProvider']) as Record<string, unknown>;
}

function groups(candidate: Candidate): readonly Readonly<Record<string, unknown>>[] {
  const found: readonly KubernetesObject[] = renderNodeGroups(candidate, replica);
  return found.map((group) => readPath(group, ['spec', 'forProvider']) as Record<string, unknown>);
}

function userDataOf(candidate: Candidate): string {
  return atob(String(template(candidate).userData));
}

test('a rung on demand has no launch template, and its groups state the size of the root volume', () => {
  expect(renderTemplate(onDemand, replica)).toBeUndefined();
  expect(groups(onDemand).map(({ diskSize, launchTemplate }) => [diskSize, launchTemplate])).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
});

test('L15 an on-demand reservation is named by the template of all groups, which ask in its zone only', () => {
  expect(template(reserved).capacityReservationSpecification).toEqual({
    capacityReservationTarget: { capacityReservationId: 'cr-0a1b' },
  });
  const name = renderTemplate(reserved, replica)?.metadata.name;
  for (const { launchTemplate, diskSize, instanceTypes, capacityType, subnetIds } of groups(reserved))
    expect({ launchTemplate, diskSize, instanceTypes, capacityType, subnetIds }).toEqual({
      launchTemplate: { name, version: '1' },
      diskSize: undefined,
      instanceTypes: ['g6.xlarge'],
      capacityType: 'ON_DEMAND',
      subnetIds: ['subnet-0b2'],
    });
});

test('L15 a capacity block states type and market in the template, and its groups no type beside it', () => {
  const { instanceType, instanceMarketOptions } = template(inBlock);
  expect([instanceType, instanceMarketOptions]).toEqual(['g6.xlarge', { marketType: 'capacity-block' }]);
  for (const { instanceTypes, capacityType } of groups(inBlock))
    expect([instanceTypes, capacityType]).toEqual([undefined, 'CAPACITY_BLOCK']);
});

test('L15 S4 a group remembers when its reservation is left: the lead of 120 minutes, and 40 more for a block', () => {
  const moments = [reserved, { ...reserved, reservation: { ...odcr, endsAt: block.endsAt } }, inBlock].map(
    (candidate) => renderNodeGroups(candidate, replica)[0]?.metadata.annotations?.['modelberth.dev/replace-at'],
  );
  expect(moments).toEqual([undefined, '2026-12-02T10:00:00Z', '2026-12-02T09:20:00Z']);
});

test('L38 the kubelet keeps more of the logs of a container than by default, for the image that reads it from here', () => {
  expect(userDataOf(reserved)).toContain('      containerLogMaxSize: 50Mi\n      containerLogMaxFiles: 10\n');
  const bottlerocket = { ...l4, amiType: 'BOTTLEROCKET_x86_64_NVIDIA' };
  expect(template({ ...reserved, hardwareClass: bottlerocket }).userData).toBeUndefined();
});

test('the disks of an instance become one where the class says so, and no network interface is of the type EFA', () => {
  const candidate = { ...onDemand, hardwareClass: onDisks };
  expect(userDataOf(candidate)).toContain('  instance:\n    localStorage:\n      strategy: RAID0\n');
  expect(userDataOf(reserved)).not.toContain('RAID0');
  expect(Object.keys(template(candidate)).sort()).toEqual([
    'blockDeviceMappings',
    'name',
    'region',
    'tagSpecifications',
    'tags',
    'userData',
  ]);
});

test('instances and volumes have the tags by which their cost is allocated', () => {
  const tags = {
    'modelberth.dev/node': 'accelerator',
    'modelberth.dev/deployment': 'llama',
    'modelberth.dev/replica': 'chat.llama-0',
    'modelberth.dev/class': 'l4',
    'modelberth.dev/market': 'Reservation',
  };
  expect(template(reserved).tagSpecifications).toEqual([
    { resourceType: 'instance', tags },
    { resourceType: 'volume', tags },
  ]);
});

const steady: readonly [string, Partial<Candidate>][] = [
  ['the reservation is extended', { reservation: { ...block, endsAt: '2026-12-09T12:00:00Z' } }],
  ['the reservation is of more instances', { reservation: { ...block, count: 9 } }],
  ['its price changes', { reservation: { ...block, usdPerHour: 3 }, usdPerHour: 6 }],
];

test.each(steady)('L12 S2 the names of template and groups stay when %s', (_name, changed) => {
  const names = (candidate: Candidate) => [
    renderTemplate(candidate, replica)?.metadata.name,
    ...renderNodeGroups(candidate, replica).map(({ metadata }) => metadata.name),
  ];
  expect(names({ ...inBlock, ...changed })).toEqual(names(inBlock));
  expect(names({ ...inBlock, reservation: { ...block, id: 'cr-0b2c' } })).not.toEqual(names(inBlock));
});
