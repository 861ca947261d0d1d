import { describe, expect, test } from 'vitest';
import { type Capacity, grantsIn, poolName } from './capacity.ts';
import { type DrawnPool, drawCapacity } from './draw-capacity.ts';
import statistics from './spot-trace-statistics.json' with { type: 'json' };

const zones = ['a', 'b', 'c'];
const minutes = 1440;
const seeds = Array.from({ length: 400 }, (_unused, index) => index + 1);

function pool(size: string, accelerators: number, zone: string): DrawnPool {
  return { instanceType: `g6e.${size}`, family: 'g6e', accelerators, zone, market: 'OnDemand' };
}

const one = zones.map((zone) => pool('xlarge', 1, zone));
const other = zones.map((zone) => pool('2xlarge', 1, zone));
const many = zones.map((zone) => pool('12xlarge', 4, zone));
const drawn = seeds.map((seed) => drawCapacity({ seed, pools: [...one, ...other, ...many], minutes, plenty: 1 }));

const isUp = (capacity: Capacity, wanted: DrawnPool) => grantsIn(capacity, wanted, 600);

function share(holds: (capacity: Capacity) => boolean): number {
  return drawn.filter(holds).length / drawn.length;
}

/** Mean share of a column of the traces over their groups, since a group is drawn first. */
function meanOfGroups(isMany: boolean, read: (trace: (typeof statistics.traces)[number]) => number): number {
  const traces = statistics.traces.filter(({ accelerators }) => accelerators > 1 === isMany);
  const groups = [...Map.groupBy(traces, ({ group }) => group).values()];
  const means = groups.map((rows) => rows.reduce((sum, row) => sum + read(row), 0) / rows.length);
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

/** How alike two pools are over all worlds: the correlation of being granted. */
function correlation(left: DrawnPool, right: DrawnPool): number {
  const [first, second] = [share((one) => isUp(one, left)), share((one) => isUp(one, right))];
  const both = share((capacity) => isUp(capacity, left) && isUp(capacity, right));
  return (both - first * second) / Math.sqrt(first * (1 - first) * second * (1 - second));
}

describe('drawn capacity', () => {
  test.each([
    ['one accelerator', one, false],
    ['several accelerators', many, true],
  ] as const)('grants as often as the traces of %s', (_name, pools, isMany) => {
    const [first] = pools;
    if (first === undefined) throw new Error('no pool');
    const wanted = meanOfGroups(isMany, ({ availableShare }) => availableShare);
    expect(Math.abs(share((capacity) => isUp(capacity, first)) - wanted)).toBeLessThan(0.07);
  });

  test('grants somewhere about as often as the traces do, and several accelerators are scarcer (L7)', () => {
    const anyOf = (pools: readonly DrawnPool[]) => share((capacity) => pools.some((wanted) => isUp(capacity, wanted)));
    const measured = (accelerators: string) => {
      const rows = statistics.anyZone.filter(({ group }) => group.includes(` ${accelerators} x `));
      return rows.reduce((sum, row) => sum + row.share, 0) / rows.length;
    };
    expect(Math.abs(anyOf(one) - measured('1'))).toBeLessThan(0.1);
    // Three zones where the traces have two.
    expect(anyOf(many) - measured('8')).toBeGreaterThan(0);
    expect(anyOf(many)).toBeLessThan(anyOf(one));
  });

  test('makes zones of one size, and sizes in one zone, as alike as the traces are', () => {
    const { zonesOfOneSize, sizesInOneZone } = statistics.correlation;
    const [a, b] = one;
    const [large] = many;
    const [sibling] = other;
    if (a === undefined || b === undefined || large === undefined || sibling === undefined) throw new Error('no pool');
    expect(correlation(a, b)).toBeGreaterThan(zonesOfOneSize.least);
    expect(correlation(a, b)).toBeLessThan(zonesOfOneSize.most);
    expect(correlation(a, large)).toBeLessThan(sizesInOneZone.most);
    // Each type is a pool of its own, but the types of one size in one zone are scarce together.
    expect(correlation(a, sibling)).toBeGreaterThan(correlation(a, b));
    expect(correlation(a, sibling)).toBeLessThan(1);
  });

  test('is the same for the same seed, differs by seed, and spells do not touch', () => {
    const again = drawCapacity({ seed: 1, pools: [...one, ...other, ...many], minutes, plenty: 1 });
    expect(again).toEqual(drawn[0]);
    expect(drawn[1]).not.toEqual(drawn[0]);
    for (const spans of drawn.flatMap((capacity) => [...capacity.values()])) {
      spans.forEach(({ from, until }, index) => {
        expect(until).toBeGreaterThan(from);
        expect(from).toBeGreaterThan(spans[index - 1]?.until ?? -1);
      });
    }
  });

  test('is scarcer with less plenty, and knows every pool', () => {
    const granted = (plenty: number) => {
      const capacity = drawCapacity({ seed: 3, pools: one, minutes, plenty });
      expect([...capacity.keys()]).toEqual(one.map(poolName));
      return [...capacity.values()].flat().reduce((sum, { from, until }) => sum + until - from, 0);
    };
    expect(granted(0.3)).toBeLessThan(granted(1));
  });
});
