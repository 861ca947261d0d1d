import { expect, test } from 'vitest';
import type { Capacity, CapacityPool } from '../worlds/capacity.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createNodeGroups, type GroupTimes, type NodeGroups } from './node-groups.ts';

const pool: CapacityPool = { instanceType: 'g6.xlarge', zone: 'a', market: 'OnDemand' };
const times: GroupTimes = { createMinutes: 2, giveUpMinutes: 36, retryMinutes: 2, raiseHangs: false, hangMinutes: 60 };

interface Played {
  readonly fleet: Fleet;
  readonly groups: NodeGroups;
  /** Plays minutes up to and with one, and gives what the API then says. */
  upTo(minute: number): string | undefined;
}

function play(from: number, size: number, set: Partial<GroupTimes> = {}): Played {
  const capacity: Capacity = new Map([['g6.xlarge/a/OnDemand', [{ from, until: 10_000 }]]]);
  const usdPerHour = new Map([['g6.xlarge', 1]]);
  const fleet = createFleet({ seed: 1, capacity, usdPerHour, bootMinutes: { least: 3, most: 3 }, blind: [] });
  const groups = createNodeGroups(fleet, { ...times, ...set });
  groups.create({ name: 'a', pools: [pool], size }, 0);
  let now = 0;
  return {
    fleet,
    groups,
    upTo: (minute) => {
      while (now < minute) {
        now += 1;
        groups.tick(now);
      }
      return groups.describe('a')?.status;
    },
  };
}

const resize = ({ groups }: Played, size: number, minute: number) =>
  groups.resize('a', size, { minute, decidedAt: minute });

test('L11 a group with a size is CREATE_FAILED at 36 minutes, takes no change, and its instance still comes', () => {
  const played = play(100, 1);
  expect([played.upTo(35), played.upTo(36)]).toEqual(['CREATING', 'CREATE_FAILED']);
  expect(resize(played, 0, 40)).toMatch(/^ResourceInUseException/);
  expect(played.upTo(110)).toBe('CREATE_FAILED');
  expect(played.fleet.running('a').map(({ launchedAt }) => launchedAt)).toEqual([101]);
});

test('an empty group is ACTIVE after two minutes, and asks when it is raised', () => {
  const played = play(0, 0);
  expect([played.upTo(1), played.upTo(2)]).toEqual(['CREATING', 'ACTIVE']);
  expect(resize(played, 1, 2)).toBeUndefined();
  expect(played.groups.describe('a')).toEqual({ status: 'UPDATING', size: 1 });
  expect(played.fleet.running('a').map(({ joinsAt }) => joinsAt)).toEqual([5]);
  expect(played.upTo(3)).toBe('ACTIVE');
});

test('a refused group is DEGRADED and goes on asking', () => {
  const played = play(30, 0);
  played.upTo(2);
  resize(played, 1, 2);
  expect(played.upTo(20)).toBe('DEGRADED');
  expect(played.upTo(31)).toBe('ACTIVE');
});

test('a raise that hangs takes no change for an hour, or until it is granted', () => {
  const refused = play(1000, 0, { raiseHangs: true });
  refused.upTo(2);
  resize(refused, 1, 2);
  expect([refused.upTo(61), resize(refused, 0, 61)?.slice(0, 22)]).toEqual(['UPDATING', 'ResourceInUseException']);
  expect([refused.upTo(62), resize(refused, 0, 62)]).toEqual(['DEGRADED', undefined]);
  const granted = play(20, 0, { raiseHangs: true });
  granted.upTo(2);
  resize(granted, 1, 2);
  expect([granted.upTo(22), granted.upTo(23)]).toEqual(['UPDATING', 'ACTIVE']);
});

test('L12 what is ended with its group or its size was known once its node had joined', () => {
  const endings = [4, 5].map((minute) => {
    const played = play(0, 1);
    played.upTo(minute);
    played.groups.remove('a', minute);
    return played.fleet.all.map(({ ended }) => ended);
  });
  expect(endings).toEqual([
    [{ at: 4, by: 'Policy', decidedAt: 4, known: true }],
    [{ at: 5, by: 'Policy', decidedAt: 5, known: true }],
  ]);
  const booting = play(0, 1);
  booting.upTo(3);
  booting.groups.remove('a', 3);
  expect(booting.fleet.all.map(({ ended }) => ended?.known)).toEqual([false]);
});

test('a spot instance ends two minutes after its pool stops granting', () => {
  const spot: CapacityPool = { ...pool, market: 'Spot' };
  const capacity: Capacity = new Map([['g6.xlarge/a/Spot', [{ from: 0, until: 10 }]]]);
  const fleet = createFleet({
    seed: 1,
    capacity,
    usdPerHour: new Map(),
    bootMinutes: { least: 2, most: 2 },
    blind: [],
  });
  fleet.launch({ owner: 'a', pools: [spot] }, 1);
  for (let minute = 2; minute < 12; minute += 1) fleet.tick(minute);
  expect(fleet.running('a')).toHaveLength(1);
  fleet.tick(12);
  expect(fleet.all[0]?.ended).toEqual({ at: 12, by: 'Cloud', decidedAt: 12, known: false });
});
