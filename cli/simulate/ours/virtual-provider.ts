/**
 * provider-aws between our NodeGroups and the cloud, with its ways (read in its source and that of upjet, 2026-12-01):
 * - while a create or an update runs it does not look at AWS at all, so its last report stays, or there is none;
 * - when it ends the provider looks at once, and says Ready=True of anything that exists, CREATE_FAILED too, since the text
 *   of the refusal is wiped by the next look;
 * - it changes a size only when it looks, and looks when the object changed, when an operation ended, or at its poll;
 * - a field that EKS cannot change is refused and the group is left alone;
 * - a deleted object deletes the group, once no operation runs.
 */
import type { MarketName } from '../../../domain/hardware/reservation.ts';
import { annotation } from '../../../domain/kubernetes/label.ts';
import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readPath,
  readString,
} from '../../../domain/kubernetes/object.ts';
import type { Cloud } from '../cloud/cloud.ts';
import type { GroupReport } from '../cloud/node-groups.ts';
import type { CapacityPool } from '../worlds/capacity.ts';
import { isWithin, type World } from '../worlds/world.ts';
import type { ObjectStore } from './object-store.ts';

export interface VirtualProvider {
  step(minute: number): void;
}

/** What the provider remembers of one group. */
interface Managed {
  readonly name: string;
  readonly forceNew: string;
  operation?: 'Create' | 'Update';
  lookedAt: number;
  /** Generation of the object at the last look. */
  seen: number | undefined;
  /** Size that the object wants, and since when. */
  wanted: { readonly size: number; readonly since: number };
}

interface Provider {
  readonly world: World;
  readonly cloud: Cloud;
  readonly store: ObjectStore;
  readonly zones: ReadonlyMap<string, string>;
  readonly managed: Map<string, Managed>;
}

/** Upjet ends an operation after an hour. */
const operationMinutes = 60;
const markets: Readonly<Record<string, MarketName>> = {
  ON_DEMAND: 'OnDemand',
  SPOT: 'Spot',
  CAPACITY_BLOCK: 'Reservation',
};

export function createVirtualProvider(world: World, cloud: Cloud, store: ObjectStore): VirtualProvider {
  const provider: Provider = { world, cloud, store, zones: zonesBySubnet(world), managed: new Map() };
  return {
    step: (minute) => {
      if (isWithin(world.blind, minute)) return;
      const objects = new Map(store.list('NodeGroup').map((object) => [externalName(object), object]));
      for (const [name, object] of objects) manage(provider, { name, object, minute });
      for (const group of [...provider.managed.values()]) {
        if (!objects.has(group.name)) remove(provider, group, minute);
      }
    },
  };
}

interface Step {
  readonly name: string;
  readonly object: KubernetesObject;
  readonly minute: number;
}

function manage(provider: Provider, step: Step): void {
  const { name, object, minute } = step;
  const group = provider.managed.get(name);
  if (group === undefined) {
    create(provider, step);
    return;
  }
  const size = sizeOf(object);
  if (size !== group.wanted.size) group.wanted = { size, since: minute };
  if (isBusy(provider, group, minute)) return;
  const hasEnded = group.operation !== undefined;
  delete group.operation;
  const isDue = minute - group.lookedAt >= provider.world.pollMinutes;
  if (hasEnded || isDue || group.seen !== object.metadata.generation) look(provider, group, step);
}

function create({ cloud, zones, managed }: Provider, { name, object, minute }: Step): void {
  const size = sizeOf(object);
  managed.set(name, {
    name,
    forceNew: forceNewOf(object),
    operation: 'Create',
    lookedAt: minute,
    seen: object.metadata.generation,
    wanted: { size, since: minute },
  });
  cloud.groups.create({ name, pools: poolsOf(object, zones), size }, minute);
}

function remove(provider: Provider, group: Managed, minute: number): void {
  if (isBusy(provider, group, minute)) return;
  provider.cloud.groups.remove(group.name, minute);
  provider.managed.delete(group.name);
}

function isBusy({ cloud }: Provider, { name, operation, lookedAt }: Managed, minute: number): boolean {
  if (operation === undefined || minute - lookedAt >= operationMinutes) return false;
  const status = cloud.groups.describe(name)?.status;
  return operation === 'Create' ? status === 'CREATING' : status === 'UPDATING';
}

/** Reports what AWS says, then begins the change that it takes to get what the object wants. */
function look({ cloud, store }: Provider, group: Managed, { name, object, minute }: Step): void {
  const report = cloud.groups.describe(name);
  if (report === undefined) return;
  group.lookedAt = minute;
  group.seen = object.metadata.generation;
  const isRefused = forceNewOf(object) !== group.forceNew;
  store.setStatus(object, statusOf(report, isRefused));
  if (isRefused || report.size === group.wanted.size) return;
  const refusal = cloud.groups.resize(name, group.wanted.size, { minute, decidedAt: group.wanted.since });
  if (refusal === undefined) group.operation = 'Update';
}

function statusOf({ status, size }: GroupReport, isRefused: boolean): Readonly<Record<string, unknown>> {
  const message = 'refuse to update the external resource because the following update requires replacing it';
  const synced = isRefused
    ? { type: 'Synced', status: 'False', reason: 'ReconcileError', message }
    : { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
  return {
    conditions: [{ type: 'Ready', status: 'True', reason: 'Available' }, synced],
    atProvider: { status, scalingConfig: { desiredSize: size, minSize: size, maxSize: 1 } },
  };
}

function externalName({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[annotation.externalName] ?? metadata.name ?? '';
}

function sizeOf(object: KubernetesObject): number {
  return readNumber(object, ['spec', 'forProvider', 'scalingConfig', 'desiredSize']) ?? 0;
}

/** The fields that EKS cannot change, as text. */
function forceNewOf(object: KubernetesObject): string {
  const forProvider = readPath(object, ['spec', 'forProvider']);
  const fields = isRecord(forProvider) ? forProvider : {};
  const fixed = ['amiType', 'capacityType', 'clusterName', 'diskSize', 'instanceTypes', 'nodeRoleArn', 'subnetIds'];
  return JSON.stringify(fixed.map((name) => fields[name]));
}

/** The capacity pools of a group in the order in which its Auto Scaling group tries them. */
function poolsOf(object: KubernetesObject, zones: ReadonlyMap<string, string>): readonly CapacityPool[] {
  const read = (field: string) => readList(object, ['spec', 'forProvider', field]).map(String);
  const market = markets[readString(object, ['spec', 'forProvider', 'capacityType']) ?? 'ON_DEMAND'] ?? 'OnDemand';
  const places = read('subnetIds').map((id) => zones.get(id) ?? id);
  return read('instanceTypes').flatMap((instanceType) => places.map((zone) => ({ instanceType, zone, market })));
}

function zonesBySubnet({ claim }: World): ReadonlyMap<string, string> {
  const clusters = claim.objects.filter(({ kind }) => kind === 'InferenceCluster');
  const subnets = clusters.flatMap((cluster) => readList(cluster, ['spec', 'eks', 'subnets'])).filter(isRecord);
  return new Map(subnets.map(({ id, zone }) => [String(id), String(zone)]));
}
