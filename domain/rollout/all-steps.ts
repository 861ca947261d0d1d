import { planReplicas, type ReplicaStep, type ReplicaView } from './plan-replicas.ts';

export interface AllStepsQuestion<World> {
  readonly start: World;
  readonly wanted: number;
  readonly authorHash: string;
  /** The replicas as they are observed of a world. */
  readonly observe: (world: World) => readonly ReplicaView[];
  /** The world once steps were applied and everybody else has had a turn. */
  readonly next: (world: World, steps: readonly ReplicaStep[]) => World;
  /** Passes by which an observation is older than the world; 0: it is as it is. */
  readonly lag: number;
}

export interface Pass<World> {
  readonly world: World;
  /** What the planner decided in this world. */
  readonly steps: readonly ReplicaStep[];
}

/** Passes after which a rollout is taken to go on for ever. */
const mostPasses = 500;

/**
 * Every pass of a rollout from a start to the world that nothing changes any more, for tests of what must hold in each;
 * undefined where it does not come to rest.
 */
export function allSteps<World>(question: AllStepsQuestion<World>): readonly Pass<World>[] | undefined {
  const { start, wanted, authorHash, observe, next, lag } = question;
  const passes: Pass<World>[] = [];
  const worlds = [start];
  let quiet = 0;
  while (passes.length < mostPasses) {
    const world = worlds.at(-1) ?? start;
    const replicas = observe(worlds.at(-1 - lag) ?? start);
    const steps = planReplicas({ wanted, authorHash, mayChange: true, replicas });
    passes.push({ world, steps });
    const then = next(world, steps);
    quiet = JSON.stringify(then) === JSON.stringify(world) ? quiet + 1 : 0;
    // Engines that start are no rest; neither is a planner that has not seen the last world yet.
    if (quiet > lag + 1) return passes;
    worlds.push(then);
  }
  return undefined;
}
