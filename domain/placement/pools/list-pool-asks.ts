import type { RungDecision } from '../climb-ladder.ts';
import { type Climb, climbLadder, type LadderQuestion } from '../climb-ladder.ts';
import type { RungView } from '../rung.ts';
import type { PoolAsk } from './pool-ask.ts';

/**
 * What a replica has or wants of existing pools, for the ledger to grant: the rungs that it asks, the one on which it
 * runs, and, while it asks nothing new, a full pool that it would ask if it had room. What is listed no more is given back.
 */
export function listPoolAsks(question: LadderQuestion, climb: Climb): readonly PoolAsk[] {
  const asked = climb.decisions.filter((decision) => isAsked(decision, question.liveRung)).map(({ rung }) => rung);
  const queued = findQueued(question, climb);
  return [...asked, ...(queued === undefined ? [] : [queued])].flatMap(toAsk);
}

function isAsked({ rung, wanted }: RungDecision, liveRung: string | undefined): boolean {
  return rung.pool !== undefined && (wanted === 'Asked' || rung.name === liveRung);
}

/** The full pool whose turn it is: it is asked for beside what waits already, never beside something that is asked now. */
function findQueued(question: LadderQuestion, { winner, decisions }: Climb): RungView | undefined {
  if (winner !== undefined || decisions.some(isNew)) return undefined;
  const rungs = question.rungs.map((rung): RungView => {
    return rung.pool?.room === 'Full' ? { ...rung, pool: { ...rung.pool, room: 'Free' } } : rung;
  });
  const turn = climbLadder({ ...question, rungs }).decisions.find(isNew);
  return turn?.rung.pool === undefined ? undefined : turn.rung;
}

/** Tells whether a rung is asked that has nothing yet. */
export function isNew({ wanted, rung }: RungDecision): boolean {
  return wanted === 'Asked' && rung.groups.length === 0;
}

function toAsk({ pool, nodes, groups }: RungView): readonly PoolAsk[] {
  if (pool === undefined) return [];
  const { name, acceleratorsPerNode } = pool;
  const lost = [...pool.lost, ...pool.leaving];
  const holds = groups.filter((group) => group.joined > 0).map((group) => group.name);
  return [{ pool: name, nodes, acceleratorsPerNode, holds: holds.sort(), lost: lost.sort() }];
}
