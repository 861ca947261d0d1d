import { type Outcome, playWorld } from './play-world.ts';
import type { Policy } from './policies/policy.ts';
import type { WorldMaker } from './worlds/make-world.ts';

export interface SimulationQuestion {
  readonly maker: WorldMaker;
  readonly policies: readonly Policy[];
  readonly firstSeed: number;
  readonly seeds: number;
  /** Told after each world how many of all are played. */
  readonly onWorld: (played: number, all: number, policy: Policy) => void;
}

/** Plays the same worlds under each policy, and gives the outcomes by policy in the order of the policies. */
export async function runSimulation(question: SimulationQuestion): Promise<ReadonlyMap<Policy, readonly Outcome[]>> {
  const { maker, policies, firstSeed, seeds, onWorld } = question;
  const outcomes = new Map<Policy, Outcome[]>();
  let played = 0;
  for (const policy of policies) {
    const own: Outcome[] = [];
    outcomes.set(policy, own);
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      own.push(await playWorld(maker.make(seed), policy));
      played += 1;
      onWorld(played, policies.length * seeds, policy);
    }
  }
  return outcomes;
}
