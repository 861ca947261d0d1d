/**
 * Plays histories of a pool that several replicas share: nodes that leave, come back and are not Ready, replicas that
 * come, go and change their shape, ledgers and statuses that are lost. Each step one of them reconciles, by the real
 * functions, from what the others published last.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExistingPool } from '../../hardware/existing-pool.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Shape } from '../../shape/shape.ts';
import type { Candidate } from '../candidate.ts';
import { climbLadder, type LadderQuestion } from '../climb-ladder.ts';
import { type RungView, usableNodes } from '../rung.ts';
import { listPoolAsks } from './list-pool-asks.ts';
import type { ReplicaAsks } from './pool-ask.ts';
import { grantPools, type PoolGrant } from './pool-grant.ts';
import { describePools, readPoolLedger } from './pool-ledger.ts';
import { viewPools } from './pool-node.ts';
import { viewLeftPool, viewPoolRung } from './view-pool-rung.ts';

const pool = { name: 'metal', className: 'mi300x', nodeSelector: { gpu: 'mi300x' }, taints: [] };
const accelerators = 4;
const spec: ExistingPool = { ...pool, node: { accelerators, allocatableCpu: 1, allocatableMemory: 1 } };
const names = ['n0', 'n1', 'n2'];
const replicas = ['r0', 'r1', 'r2', 'r3'];
const shapes: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 2],
  [1, 4],
  [2, 4],
]; // nodes x accelerators

type Node = 'Usable' | 'NotReady' | 'Gone';
interface Live {
  readonly rung: string;
  readonly nodes: readonly string[];
}
interface Replica {
  shape: Shape;
  live: Live | undefined;
  /** What its status says; undefined after it was lost. */
  asks: ReplicaAsks['asks'];
  serving: boolean;
}

interface World {
  readonly nodes: Map<string, Node>;
  readonly alive: Map<string, Replica>;
  ledger: readonly PoolGrant[];
  minute: number;
}

function newWorld(): World {
  return { nodes: new Map(names.map((name) => [name, 'Usable'])), alive: new Map(), ledger: [], minute: 0 };
}

function nowOf({ minute }: World): Date {
  return new Date(Date.parse('2026-12-01T00:00:00Z') + minute * 60_000);
}

function shapeOf([nodes, acceleratorsPerNode]: readonly [number, number]): Shape {
  return { nodes, acceleratorsPerNode, tensorParallelSize: acceleratorsPerNode, pipelineParallelSize: nodes };
}

function nodeObject(name: string, state: Node): KubernetesObject {
  const status = { conditions: [{ type: 'Ready', status: state === 'Usable' ? 'True' : 'False' }] };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { gpu: 'mi300x' } }, status };
}

function existing(world: World): ReadonlyMap<string, KubernetesObject> {
  const there = [...world.nodes].filter(([, state]) => state !== 'Gone');
  return new Map(there.map(([name, state]) => [name, nodeObject(name, state)]));
}

function poolsOf(world: World) {
  return viewPools({ pools: [spec], allocation: 'DRA' }, () => [...existing(world).values()]);
}

function candidate(shape: Shape): Candidate {
  const hardwareClass = { name: 'mi300x' } as Candidate['hardwareClass'];
  return {
    cluster: {},
    hardwareClass,
    shape,
    market: 'Existing',
    pool: spec,
    nodeTypes: [],
    usdPerHour: 1,
  } as unknown as Candidate;
}

/** The ledger as it is published and read again. */
function published(world: World) {
  const question = { pools: poolsOf(world), grants: world.ledger, replicas: asksOf(world) };
  const status = { ledger: { pools: describePools(question) } };
  return readPoolLedger({ apiVersion: 'v1', kind: 'C', metadata: {}, status });
}

/** The oldest first, which here is the order of their names. */
function asksOf(world: World): readonly ReplicaAsks[] {
  return replicas.flatMap((replica) => {
    const one = world.alive.get(replica);
    return one === undefined ? [] : [{ namespace: 'chat', replica, asks: one.asks }];
  });
}

function reconcileCluster(world: World): void {
  const asks = asksOf(world);
  const now = nowOf(world).toISOString();
  world.ledger = grantPools({ pools: poolsOf(world), replicas: asks, earlier: published(world).grants, now });
}

function reconcileReplica(world: World, name: string): void {
  const replica = world.alive.get(name);
  if (replica === undefined) return;
  const { rooms, grants } = published(world);
  const nodes = existing(world);
  const known = { rooms, grants: grants.filter((grant) => grant.replica === name), nodes };
  const pools = replica.live === undefined ? known : { ...known, live: replica.live };
  const own = viewPoolRung(candidate(replica.shape), spec, pools);
  const rungs = [own, ...viewLeftPool(new Set([own.name]), pools, [spec])];
  const policy = { patienceMinutes: 12, hedge: 2, nodeGroupsLeft: 10 };
  const liveRung =
    replica.live === undefined ? {} : { liveRung: replica.live.rung, claimMoved: replica.live.rung !== own.name };
  const question: LadderQuestion = { rungs, policy, serving: replica.serving, now: nowOf(world), ...liveRung };
  const climb = climbLadder(question);
  replica.asks = listPoolAsks(question, climb);
  const { winner } = climb;
  // As the next steps do: rendered once all nodes are usable, for a candidate only.
  if (winner?.allowed && usableNodes(winner) >= winner.nodes) replica.live = moveTo(replica.live, winner);
  replica.serving = replica.live?.nodes.every((node) => world.nodes.get(node) === 'Usable') === true;
}

/** The place of the winner; the very same while it does not change. */
function moveTo(live: Live | undefined, winner: RungView): Live {
  const nodes = winner.groups.map((group) => group.name).sort();
  return live?.rung === winner.name && String(live.nodes) === String(nodes) ? live : { rung: winner.name, nodes };
}

/** Accelerators that the engine of one replica holds on a node. */
function heldBy(world: World, replica: string, node: string): number {
  const live = world.alive.get(replica)?.live;
  return live?.nodes.includes(node) === true ? Number(/\dx(\d)-/.exec(live.rung)?.[1]) : 0;
}

/** Those that it was granted there; from one shape to another it counts once, since one engine gives way to the next. */
function grantedTo(world: World, replica: string, node: string): number {
  const grants = world.ledger.filter((grant) => grant.replica === replica && grant.nodes.includes(node));
  return Math.max(0, ...grants.map((grant) => grant.acceleratorsPerNode));
}

function sumOn(node: string, countOf: (replica: string, node: string) => number): number {
  return replicas.reduce((sum, replica) => sum + countOf(replica, node), 0);
}

const someStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('replica' as const), at: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('cluster' as const), at: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('node' as const), at: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), at: fc.nat(15) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('delete', 'shape', 'forget', 'forgetAll'), at: fc.nat(15) }),
  },
);
type Step = typeof someStep extends fc.Arbitrary<infer S> ? S : never;

function apply(world: World, step: Step): void {
  const name = replicas[step.at % replicas.length] ?? 'r0';
  const shape = shapeOf(shapes[Math.floor(step.at / replicas.length) % shapes.length] ?? [1, 1]);
  const replica = world.alive.get(name);
  world.minute += 1;
  if (step.do === 'replica') reconcileReplica(world, name);
  if (step.do === 'cluster') reconcileCluster(world);
  if (step.do === 'node') changeNode(world, step.at);
  if (step.do === 'create' && replica === undefined)
    world.alive.set(name, { shape, live: undefined, asks: undefined, serving: false });
  if (step.do === 'delete') world.alive.delete(name);
  if (step.do === 'shape' && replica !== undefined) replica.shape = shape;
  // A status that is lost while its engine moves from a node to another is not survived either.
  if (step.do === 'forget' && replica !== undefined && !isMoving(world, name)) replica.asks = undefined;
  // A ledger that is lost is made again from what the replicas say; both lost at once is not survived.
  if (step.do === 'forgetAll') {
    for (const one of world.alive.keys()) reconcileReplica(world, one);
    world.ledger = [];
    reconcileCluster(world);
  }
}

function isMoving(world: World, name: string): boolean {
  return names.some((node) => heldBy(world, name, node) > grantedTo(world, name, node));
}

function changeNode(world: World, at: number): void {
  const name = names[at % names.length] ?? 'n0';
  world.nodes.set(name, (['Usable', 'NotReady', 'Gone'] as const)[Math.floor(at / names.length)] ?? 'Usable');
}

const history = fc.array(someStep, { minLength: 40, maxLength: 80 });

test('S2 over any history the ledger never grants more than a node has, and engines never hold more', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = newWorld();
      for (const step of steps) {
        apply(world, step);
        for (const name of names) {
          const granted = sumOn(name, (replica) => grantedTo(world, replica, name));
          const held = sumOn(name, (replica) => heldBy(world, replica, name));
          expect([name, granted <= accelerators, held <= accelerators]).toEqual([name, true, true]);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('S1 over any history an engine whose nodes stay there stays on them, and stays granted', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = newWorld();
      let sound = new Map<string, Live>();
      for (const step of steps) {
        apply(world, step);
        for (const [name, live] of sound) {
          const replica = world.alive.get(name);
          if (replica === undefined || replica.live?.rung !== live.rung) continue;
          expect(replica.live).toEqual(live);
          if (step.do === 'cluster' || step.do === 'forgetAll') expect(isGranted(world, name, live)).toBe(true);
        }
        sound = soundEngines(world);
      }
    }),
    { numRuns: 150 },
  );
});

/** Engines that run since before without having lost a node, and those that have started. */
function soundEngines(world: World): Map<string, Live> {
  const sound = new Map<string, Live>();
  for (const [name, { live }] of world.alive) {
    const isThere = live?.nodes.every((node) => world.nodes.get(node) !== 'Gone') === true;
    const wasLost = live !== undefined && seenLost.get(live) === true;
    if (live !== undefined && !isThere) seenLost.set(live, true);
    if (live !== undefined && isThere && !wasLost) sound.set(name, live);
  }
  return sound;
}
const seenLost = new WeakMap<Live, boolean>();

function isGranted(world: World, name: string, live: Live): boolean {
  return world.ledger.some((grant) => grant.replica === name && String([...grant.nodes].sort()) === String(live.nodes));
}

test('over any history that ends quietly every replica that fits has an engine, the oldest first', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = newWorld();
      for (const step of steps) apply(world, step);
      for (const name of names) world.nodes.set(name, 'Usable');
      for (let round = 0; round < 12; round += 1) {
        world.minute += 20;
        for (const name of world.alive.keys()) reconcileReplica(world, name);
        reconcileCluster(world);
      }
      const takenBy = (replica: string, node: string) =>
        Math.max(grantedTo(world, replica, node), heldBy(world, replica, node));
      const left = names.map((name) => accelerators - sumOn(name, takenBy));
      for (const { live, shape } of world.alive.values()) {
        const fits = left.filter((free) => free >= shape.acceleratorsPerNode).length >= shape.nodes;
        expect([live === undefined, fits]).not.toEqual([true, true]);
      }
    }),
    { numRuns: 150 },
  );
});

test('a history reaches every state that the rules speak of', () => {
  const seen = new Map<string, number>();
  const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  for (const steps of fc.sample(history, 300)) {
    const world = newWorld();
    for (const step of steps) {
      const before = new Map([...world.alive].map(([name, { live }]) => [name, live]));
      const ledger = world.ledger;
      apply(world, step);
      for (const [name, { live }] of world.alive) {
        if (live !== undefined && before.get(name) === undefined) see('an engine starts');
        if (live?.nodes.some((node) => world.nodes.get(node) === 'Gone') === true) see('an engine lost its node');
        if (live?.rung === before.get(name)?.rung && String(live?.nodes) !== String(before.get(name)?.nodes))
          see('an engine moves to another node');
      }
      for (const name of names)
        if (sumOn(name, (replica) => heldBy(world, replica, name)) === accelerators) see('a node is full');
      if (ledger.length > world.ledger.length) see('the ledger takes back what nobody asks for');
    }
  }
  expect([...seen.keys()].sort()).toEqual([
    'a node is full',
    'an engine lost its node',
    'an engine moves to another node',
    'an engine starts',
    'the ledger takes back what nobody asks for',
  ]);
  expect(Math.min(...seen.values())).toBeGreaterThan(5);
});
