/**
 * Managed node groups of EKS and the Auto Scaling groups behind them, as lessons L9 to L12 and the API found them: a group
 * that was created with a size and lacks nodes after 36 minutes is CREATE_FAILED and takes no change any more, while
 * its Auto Scaling group goes on asking; a change of size runs in the background, may last an hour while capacity is
 * refused, and no other change is taken meanwhile; deleting a group ends every instance that it has.
 */
import type { CapacityPool } from '../worlds/capacity.ts';
import { type Fleet, hasJoined, type Instance } from './fleet.ts';

export interface GroupRequest {
  readonly name: string;
  readonly pools: readonly CapacityPool[];
  readonly size: number;
}

export interface NodeGroup extends GroupRequest {
  readonly createdAt: number;
  /** Size of the Auto Scaling group, which asks for as many instances. */
  wanted: number;
  /** Size that the API reports. */
  reported: number;
  status: 'CREATING' | 'ACTIVE' | 'CREATE_FAILED';
  change?: { readonly size: number; readonly startedAt: number };
  nextTryAt: number;
  refused: boolean;
}

/** What the API says of a group. */
export interface GroupReport {
  readonly status: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DEGRADED' | 'CREATE_FAILED';
  readonly size: number;
}

/** How long the API and its Auto Scaling groups take, in minutes. */
export interface GroupTimes {
  /** An empty group is ACTIVE after so long. */
  readonly createMinutes: number;
  /** A group with a size that it has not got is CREATE_FAILED after so long. */
  readonly giveUpMinutes: number;
  /** Between two tries of an Auto Scaling group. */
  readonly retryMinutes: number;
  /** Whether a raise stays in progress while capacity is refused, and for how long at most. */
  readonly raiseHangs: boolean;
  readonly hangMinutes: number;
}

export interface NodeGroups {
  create(request: GroupRequest, minute: number): void;
  /** Changes the size, which the Auto Scaling group takes over at once; an error text when the API takes no change now. */
  resize(name: string, size: number, when: { readonly minute: number; readonly decidedAt: number }): string | undefined;
  remove(name: string, minute: number): void;
  describe(name: string): GroupReport | undefined;
  /** The pools and size that are asked for and have not been got, for what it may cost. */
  outstanding(): readonly { readonly pools: readonly CapacityPool[]; readonly missing: number }[];
  count(): number;
  tick(minute: number): void;
}

/** Minutes until a new group has its Auto Scaling group, and until a change of size has ended at the soonest. */
const startMinutes = 1;

export function createNodeGroups(fleet: Fleet, times: GroupTimes): NodeGroups {
  const groups = new Map<string, NodeGroup>();
  const missing = ({ name, wanted }: NodeGroup) => Math.max(0, wanted - fleet.running(name).length);
  return {
    create: (request, minute) => {
      const fresh = { wanted: 0, reported: request.size, nextTryAt: minute + startMinutes, refused: false };
      groups.set(request.name, { ...request, ...fresh, createdAt: minute, status: 'CREATING' });
    },
    resize: (name, size, { minute, decidedAt }) => {
      const group = groups.get(name);
      if (group === undefined) return `No node group found for name: ${name}`;
      if (group.status !== 'ACTIVE' || group.change !== undefined)
        return 'ResourceInUseException: Nodegroup cannot be updated as it is currently not in Active State';
      group.change = { size, startedAt: minute };
      group.wanted = size;
      group.reported = size;
      group.nextTryAt = minute;
      shrink(fleet, group, { to: size, minute, decidedAt });
      ask(fleet, group, times, minute);
      return undefined;
    },
    remove: (name, minute) => {
      const group = groups.get(name);
      if (group !== undefined) shrink(fleet, group, { to: 0, minute, decidedAt: minute });
      groups.delete(name);
    },
    describe: (name) => {
      const group = groups.get(name);
      return group === undefined ? undefined : { status: statusOf(group), size: group.reported };
    },
    outstanding: () => [...groups.values()].map((group) => ({ pools: group.pools, missing: missing(group) })),
    count: () => groups.size,
    tick: (minute) => {
      for (const group of groups.values()) {
        if (group.status === 'CREATING') advanceCreate(fleet, group, times, minute);
        if (group.change !== undefined) advanceChange(fleet, group, times, minute);
        ask(fleet, group, times, minute);
      }
    },
  };
}

function statusOf({ status, change, refused }: NodeGroup): GroupReport['status'] {
  if (status !== 'ACTIVE') return status;
  if (change !== undefined) return 'UPDATING';
  return refused ? 'DEGRADED' : 'ACTIVE';
}

function advanceCreate(fleet: Fleet, group: NodeGroup, times: GroupTimes, minute: number): void {
  const age = minute - group.createdAt;
  if (age >= startMinutes) group.wanted = group.size;
  if (group.size === 0 ? age >= times.createMinutes : isComplete(fleet, group, minute)) group.status = 'ACTIVE';
  else if (age >= times.giveUpMinutes) group.status = 'CREATE_FAILED';
}

function isComplete(fleet: Fleet, { name, wanted }: NodeGroup, minute: number): boolean {
  return wanted > 0 && fleet.running(name).filter((instance) => hasJoined(instance, minute)).length >= wanted;
}

function advanceChange(fleet: Fleet, group: NodeGroup, times: GroupTimes, minute: number): void {
  const { change } = group;
  if (change === undefined || minute < change.startedAt + startMinutes) return;
  const isHanging = times.raiseHangs && change.size > 0 && !isComplete(fleet, group, minute);
  if (!isHanging || minute >= change.startedAt + times.hangMinutes) delete group.change;
}

/** An Auto Scaling group ends what it has too many, whether it has joined or not. */
function shrink(
  fleet: Fleet,
  { name }: NodeGroup,
  { to, minute, decidedAt }: { readonly to: number; readonly minute: number; readonly decidedAt: number },
): void {
  for (const instance of fleet.running(name).slice(to))
    fleet.end(instance, { at: minute, by: 'Policy', decidedAt, known: instance.joinsAt <= decidedAt });
}

function ask(fleet: Fleet, group: NodeGroup, { retryMinutes }: GroupTimes, minute: number): void {
  let running: readonly Instance[] = fleet.running(group.name);
  if (running.length >= group.wanted) group.refused = false;
  if (running.length >= group.wanted || minute < group.nextTryAt) return;
  while (running.length < group.wanted) {
    const launched = fleet.launch({ owner: group.name, pools: group.pools }, minute);
    group.refused = launched === undefined;
    if (launched === undefined) {
      group.nextTryAt = minute + retryMinutes;
      return;
    }
    running = [...running, launched];
  }
}
