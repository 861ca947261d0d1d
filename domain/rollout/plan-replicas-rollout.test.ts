/**
 * Plays whole rollouts and changes of scale: the planner decides from what it can see, its steps are applied, engines
 * take their time to start, and a service publishes weights later than they are true.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planReplicas, type ReplicaStep, type ReplicaView } from './plan-replicas.ts';

interface World {
  readonly before: number;
  readonly wanted: number;
  /** Passes that an engine takes to start on the new template; undefined means that it never does. */
  readonly startPasses: number | undefined;
  /** Passes until a service has published what is true. */
  readonly lagPasses: number;
  readonly hasService: boolean;
  /** Indices whose engine is broken on the old template. */
  readonly broken: readonly number[];
}

interface Replica {
  readonly index: number;
  readonly hash: 'old' | 'new';
  readonly traffic: ReplicaView['traffic'];
  readonly trafficSince: number;
  readonly readySince: number;
}

interface Pass {
  readonly steps: readonly ReplicaStep[];
  readonly replicas: readonly Replica[];
  readonly ready: readonly number[];
  /** Indices to which requests may still be sent. */
  readonly receiving: readonly number[];
}

const most = 200;
const never = Number.POSITIVE_INFINITY;

function play(world: World): readonly Pass[] {
  const { before, startPasses = never, broken } = world;
  let replicas: readonly Replica[] = Array.from({ length: before }, (_unused, index) => ({
    index,
    hash: 'old',
    traffic: 'Serve',
    trafficSince: -most,
    readySince: broken.includes(index) ? never : -most,
  }));
  const passes: Pass[] = [];
  for (let pass = 0; pass < most; pass += 1) {
    const isReady = ({ readySince }: Replica) => pass >= readySince;
    const views = replicas.map((replica) => view(world, replica, replicas, pass));
    const steps = planReplicas({ wanted: world.wanted, authorHash: 'new', mayChange: true, replicas: views });
    const ready = replicas.filter(isReady).map(({ index }) => index);
    const receiving = replicas.filter((replica) => receives(world, replica, replicas, pass)).map(({ index }) => index);
    passes.push({ steps, replicas, ready, receiving });
    replicas = steps.flatMap((step) => {
      const existing = replicas.find(({ index }) => index === step.index);
      return apply(step, existing, pass, pass + startPasses);
    });
  }
  return passes;
}

function apply(
  { index, action }: ReplicaStep,
  existing: Replica | undefined,
  pass: number,
  readySince: number,
): Replica[] {
  if (action === 'Drop') return [];
  if (existing === undefined) return [{ index, hash: 'new', traffic: 'Serve', trafficSince: pass, readySince }];
  const staysDrained = action === 'Edit' && existing.traffic === 'Drain';
  const isLetGo = action === 'Drain' || action === 'Detach';
  const traffic: Replica['traffic'] = isLetGo ? action : staysDrained ? 'Drain' : 'Serve';
  const told: Replica = {
    ...existing,
    traffic,
    trafficSince: traffic === existing.traffic ? existing.trafficSince : pass,
  };
  return action === 'Edit' ? [{ ...told, hash: 'new', readySince }] : [told];
}

/** A route without any weight answers 500, so a service keeps weight 1 on the last replica: the highest index here. */
function isLastOne(replica: Replica, replicas: readonly Replica[], pass: number): boolean {
  const hasWeight = ({ traffic, readySince }: Replica) => traffic === 'Serve' && pass >= readySince;
  return !replicas.some(hasWeight) && replica.index === Math.max(...replicas.map(({ index }) => index));
}

/** Whether requests are truly sent to a replica: until every service has taken over what it was told. */
function receives(world: World, replica: Replica, replicas: readonly Replica[], pass: number): boolean {
  if (!world.hasService) return false;
  if (pass <= replica.trafficSince + world.lagPasses || replica.traffic === 'Serve') return true;
  return replica.traffic === 'Drain' && isLastOne(replica, replicas, pass);
}

function view(world: World, replica: Replica, replicas: readonly Replica[], pass: number): ReplicaView {
  const { index, hash, traffic, readySince } = replica;
  const isSent = receives(world, replica, replicas, pass);
  const isLast = traffic === 'Drain' && pass > replica.trafficSince + world.lagPasses;
  return {
    index,
    authorHash: hash,
    readiness: pass >= readySince ? 'Ready' : 'NotReady',
    rollout: pass >= readySince ? 'Live' : 'Pending',
    traffic,
    drain: isSent ? (isLast ? 'LastOne' : 'Pending') : 'Done',
  };
}

const someWorld: fc.Arbitrary<World> = fc.record({
  before: fc.nat({ max: 6 }),
  wanted: fc.nat({ max: 6 }),
  startPasses: fc.integer({ min: 1, max: 8 }),
  lagPasses: fc.nat({ max: 4 }),
  hasService: fc.boolean(),
  broken: fc.subarray([0, 1, 2, 3, 4, 5]),
});

test('L40 a rollout and a change of scale end: every wanted index runs the template of the claim, and no other exists', () => {
  fc.assert(
    fc.property(someWorld, (world) => {
      const last = play(world).at(-1);
      const expected = Array.from({ length: world.wanted }, (_unused, index) => ({ index, action: 'Keep' }));
      expect(last?.steps.map(({ index, action }) => ({ index, action }))).toEqual(expected);
      expect(last?.replicas.filter(({ hash, traffic }) => hash !== 'new' || traffic !== 'Serve')).toEqual([]);
      expect(last?.ready).toEqual(expected.map(({ index }) => index));
    }),
  );
});

test('L39 L40 never more than one ready replica that is wanted is taken down at once', () => {
  fc.assert(
    fc.property(someWorld, (world) => {
      const kept = Array.from({ length: Math.min(world.before, world.wanted) }, (_unused, index) => index);
      const healthy = kept.filter((index) => !world.broken.includes(index));
      for (const { ready } of play(world)) {
        expect(healthy.filter((index) => !ready.includes(index)).length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('L40 the rollout stops at the first replica that does not come back, and every healthy other one is untouched', () => {
  fc.assert(
    fc.property(someWorld, (world) => {
      const last = play({ ...world, startPasses: undefined }).at(-1);
      const kept = Math.min(world.before, world.wanted);
      const healthy = Array.from({ length: kept }, (_unused, index) => index).filter(
        (index) => !world.broken.includes(index),
      );
      const lost = healthy.filter((index) => !last?.ready.includes(index));
      expect(lost.length).toBeLessThanOrEqual(1);
      // A broken or missing index already holds the rollout up, so that no healthy one is taken for it.
      const isHeldUp = healthy.length < world.wanted;
      if (isHeldUp) expect(lost).toEqual([]);
    }),
  );
});

test('S1 nothing is dropped to which a request may still be sent', () => {
  fc.assert(
    fc.property(someWorld, (world) => {
      for (const { steps, receiving } of play(world)) {
        const dropped = steps.filter(({ action }) => action === 'Drop').map(({ index }) => index);
        expect(dropped.filter((index) => receiving.includes(index))).toEqual([]);
      }
    }),
  );
});

test('L40 no replica is edited twice for one template', () => {
  fc.assert(
    fc.property(someWorld, (world) => {
      const edited = play(world).flatMap(({ steps }) =>
        steps.filter(({ action }) => action === 'Edit').map(({ index }) => index),
      );
      expect(edited).toEqual([...new Set(edited)]);
    }),
  );
});

const rollouts: readonly [string, World, readonly string[]][] = [
  [
    'L40 three replicas take a new template one after the other',
    { before: 3, wanted: 3, startPasses: 2, lagPasses: 0, hasService: true, broken: [] },
    [
      'Drain Keep Keep',
      'Edit Keep Keep',
      'Drain Keep Keep',
      'Keep Drain Keep',
      'Keep Edit Keep',
      'Keep Drain Keep',
      'Keep Keep Drain',
      'Keep Keep Edit',
      'Keep Keep Drain',
      'Keep Keep Keep',
    ],
  ],
  [
    'L40 the first never comes back',
    { before: 3, wanted: 3, startPasses: undefined, lagPasses: 0, hasService: true, broken: [] },
    ['Drain Keep Keep', 'Edit Keep Keep', 'Drain Keep Keep'],
  ],
  [
    'one of two goes while a service sends to both',
    { before: 2, wanted: 1, startPasses: 1, lagPasses: 1, hasService: true, broken: [] },
    ['Keep Drain', 'Keep Drain', 'Keep Drop', 'Drain', 'Drain', 'Edit', 'Keep'],
  ],
  [
    'the last one goes and is detached first',
    { before: 1, wanted: 0, startPasses: 1, lagPasses: 1, hasService: true, broken: [] },
    ['Drain', 'Drain', 'Detach', 'Detach', 'Drop', ''],
  ],
];

test.each(rollouts)('planReplicas goes these steps when %s', (_name, world, expected) => {
  const lines = play(world).map(({ steps }) => steps.map(({ action }) => action).join(' '));
  const changes = lines.filter((line, index) => index < expected.length || line !== lines[index - 1]);
  expect(changes).toEqual(expected);
});
