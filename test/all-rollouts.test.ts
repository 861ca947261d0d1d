import { describe, expect, test } from 'vitest';
import { allSteps, type Pass } from '../domain/rollout/all-steps.ts';
import { type Fate, nextWorld, type RolloutWorld, type SimulatedReplica, viewReplicas } from './rollout-world.ts';

/** Accelerators of the platform, at most, and of one replica. */
const mostAccelerators = 16;
const sizes = [1, 2, 4];
const fates: readonly Fate[] = ['GoesBack', 'Hangs', 'Unseen'];

const serving = (index: number): SimulatedReplica => ({
  index,
  template: 'old',
  readiness: 'Ready',
  rollout: 'Live',
  traffic: 'Serve',
  hasWeight: true,
  startsIn: 0,
});

interface Scene {
  readonly name: string;
  readonly start: RolloutWorld;
  readonly wanted: number;
  readonly lag: number;
}

/** Where a rollout may begin: untouched, half done, with one that is down, drained or not seen. */
function startsOf(count: number): readonly (readonly [string, readonly SimulatedReplica[]])[] {
  const all = Array.from({ length: count }, (_, index) => serving(index));
  const change = (at: number, fields: Partial<SimulatedReplica>) =>
    all.map((replica, index) => (index === at ? { ...replica, ...fields } : replica));
  const middle = Math.floor(count / 2);
  return [
    ['untouched', all],
    ['half edited', all.map((replica, index) => (index < middle ? { ...replica, template: 'new' as const } : replica))],
    ['one down', change(middle, { readiness: 'NotReady', hasWeight: false })],
    ['one drained', change(count - 1, { traffic: 'Drain', hasWeight: count === 1 })],
    ['one unseen', change(0, { readiness: 'Unknown' })],
  ];
}

function scenesOf(count: number): readonly Scene[] {
  const scenes = new Map<string, Scene>();
  for (const size of sizes.filter((accelerators) => accelerators * count <= mostAccelerators))
    for (const [from, replicas] of startsOf(count))
      for (let wanted = 0; wanted <= 8; wanted += 1)
        for (const failing of failuresOf(Math.max(count, wanted)))
          for (const hasService of [true, false])
            for (const lag of [0, 1]) {
              // A spare beyond what is asked for changes nothing.
              const room = Math.floor((mostAccelerators - size * count) / size);
              for (const spare of new Set([0, Math.min(room, 1), Math.min(room, Math.max(0, wanted - count))])) {
                const name = `${count} to ${wanted}, ${from}, spare ${spare}, ${failing.map(String)}, service ${hasService}, lag ${lag}`;
                scenes.set(name, {
                  name,
                  wanted,
                  lag,
                  start: {
                    replicas,
                    spare,
                    hasService,
                    fates: new Map(failing.length === 0 ? [] : [failing as [number, Fate]]),
                  },
                });
              }
            }
  return [...scenes.values()];
}

function failuresOf(count: number): readonly (readonly [] | readonly [number, Fate])[] {
  const indices = Array.from({ length: count }, (_, index) => index);
  return [[], ...indices.flatMap((index) => fates.map((fate) => [index, fate] as const))];
}

const available = ({ replicas }: RolloutWorld) =>
  replicas.filter(({ readiness, hasWeight }) => readiness !== 'NotReady' && hasWeight).length;

/** What is broken in a run; empty where everything holds. */
function faultsOf({ start, wanted, lag }: Scene, passes: readonly Pass<RolloutWorld>[] | undefined): readonly string[] {
  if (passes === undefined) return ['it does not come to rest'];
  const least = Math.min(available(start), wanted) - 1;
  const faults: string[] = [];
  for (const [at, { world, steps }] of passes.entries()) {
    if (available(world) < least) faults.push(`pass ${at}: ${available(world)} available, want ${least}`);
    for (const { index, action, why } of steps) {
      const replica = world.replicas.find((other) => other.index === index);
      if (why === '') faults.push(`pass ${at}: ${action} of ${index} has no reason`);
      if (action !== 'Drop' || replica === undefined) continue;
      if (index < wanted) faults.push(`pass ${at}: ${index} is dropped and wanted (S1)`);
      if (start.hasService && replica.hasWeight && replica.traffic !== 'Detach')
        faults.push(`pass ${at}: ${index} is dropped while requests are sent to it`);
    }
    const taken = takenInPass(world, passes[at + 1]?.world ?? world);
    if (taken.length > 1) faults.push(`pass ${at}: ${taken.length} are edited at once`);
    const others = (own: SimulatedReplica) => world.replicas.some((other) => other !== own && other.hasWeight);
    for (const replica of taken)
      if (start.hasService && replica.hasWeight && others(replica))
        faults.push(`pass ${at}: ${replica.index} is edited while requests are sent to it`);
    const known = passes[at - lag]?.world.replicas ?? [];
    if (taken.length > 0 && known.some(({ rollout }) => rollout === 'Failed'))
      faults.push(`pass ${at}: ${taken[0]?.index} gets a template that failed`);
  }
  return [...faults, ...endFaults(passes.at(-1)?.world, wanted)];
}

/** Engines that answered and were given the new template. */
function takenInPass(world: RolloutWorld, next: RolloutWorld): readonly SimulatedReplica[] {
  return world.replicas.filter(
    ({ index, readiness, template }) =>
      readiness === 'Ready' &&
      template === 'old' &&
      next.replicas.some((other) => other.index === index && other.template === 'new'),
  );
}

/** A rollout ends with every replica on the new template and serving, or one of them says why not. */
function endFaults(end: RolloutWorld | undefined, wanted: number): readonly string[] {
  const replicas = end?.replicas ?? [];
  const isDone = replicas.every(
    ({ template, readiness, traffic, rollout }) =>
      template === 'new' && readiness === 'Ready' && traffic === 'Serve' && rollout === 'Live',
  );
  if (isDone && replicas.length === wanted) return [];
  const stops = replicas.some(({ readiness, rollout }) => readiness !== 'Ready' || rollout === 'Failed');
  if (stops && replicas.length === wanted) return [];
  // One that is let go and cannot be seen holds its accelerators, and says so.
  const isHeld = replicas.some(({ index, readiness }) => index >= wanted && readiness === 'Unknown');
  return isHeld ? [] : [`it rests at ${JSON.stringify(replicas)}`];
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('L39 L40 every rollout of %i replicas', (count) => {
  test('ends or stops with a reason, keeps what must be available, and loses nothing', { timeout: 120_000 }, () => {
    const scenes = scenesOf(count);
    const broken = scenes.flatMap((scene) => {
      const passes = allSteps({ ...scene, authorHash: 'new', observe: viewReplicas, next: nextWorld });
      const [fault] = faultsOf(scene, passes);
      return fault === undefined ? [] : [`${scene.name}: ${fault}`];
    });
    expect({ broken: broken.length, first: broken.slice(0, 5) }).toEqual({ broken: 0, first: [] });
    expect(scenes.length).toBeGreaterThan(1000);
  });
});
