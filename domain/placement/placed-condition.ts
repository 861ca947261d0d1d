import type { Condition } from '../kubernetes/condition.ts';
import { formatUsd, sumUsd } from '../units/usd.ts';
import type { Climb } from './climb-ladder.ts';
import { explainRefusals } from './explain-refusals.ts';
import type { Refusal } from './refuse-candidate.ts';
import { askedAt, joinedNodes, type RungView, usableNodes } from './rung.ts';

/** Whether one rung has all its nodes, and if not, what is being waited for. */
export function placedCondition(modelName: string, climb: Climb, refusals: readonly Refusal[]): Condition {
  const { winner } = climb;
  if (winner !== undefined) {
    const usable = usableNodes(winner);
    const message = `${usable} of ${winner.nodes} nodes of ${winner.name} are usable`;
    if (usable >= winner.nodes) return { type: 'Placed', status: 'True', reason: 'NodesUsable', message };
    return {
      type: 'Placed',
      status: 'Unknown',
      reason: 'NotObserved',
      message: `${message}; the others have joined and are not Ready`,
    };
  }
  const { leaving } = climb;
  if (leaving !== undefined) {
    const rest = withoutWinner(modelName, withoutRung(climb, leaving), refusals);
    if (leaving.isEnding === true) {
      const message = `${leaving.name} serves on until another rung has its nodes, or its reservation ends: ${rest.message}`;
      return { type: 'Placed', status: 'False', reason: 'ReservationEnds', message };
    }
    const message = `${leaving.name} serves on as it was and cannot hold the claim as it is now: ${rest.message}`;
    return { ...rest, message };
  }
  return withoutWinner(modelName, climb, refusals);
}

function withoutRung(climb: Climb, { name }: RungView): Climb {
  return { ...climb, decisions: climb.decisions.filter(({ rung }) => rung.name !== name) };
}

/** What is waited for, or why nothing is asked. */
function withoutWinner(modelName: string, climb: Climb, refusals: readonly Refusal[]): Condition {
  const asked = climb.decisions.filter((decision) => decision.wanted === 'Asked').map((decision) => decision.rung);
  if (asked.length === 0) return nothingAsked(modelName, climb, refusals);
  const waits = asked.map(
    (rung) => `${rung.name} (${joinedNodes(rung)} of ${rung.nodes} nodes${since(askedAt(rung))})`,
  );
  const reason = climb.exhausted ? 'LadderExhausted' : 'WaitingForNodes';
  return { type: 'Placed', status: 'False', reason, message: `Waiting for nodes of ${waits.join(' and ')}` };
}

/** Why nothing is asked: a parked rung still drains, the quota is used up, or no candidate may be asked. */
function nothingAsked(modelName: string, climb: Climb, refusals: readonly Refusal[]): Condition {
  const draining = climb.decisions.filter(({ state }) => state === 'Draining').map(({ rung }) => rung.name);
  if (draining.length > 0) {
    const message = `Waiting for ${draining.join(' and ')} to be seen at size 0 before the next rung is asked`;
    return { type: 'Placed', status: 'False', reason: 'WaitingForNodes', message };
  }
  if (climb.decisions.some(({ rung }) => rung.allowed)) {
    if (climb.leaving !== undefined) return noRoomBeside(climb);
    const message =
      'Cannot ask for another node group on the cluster: raise spec.maxNodeGroups of its InferenceCluster';
    return { type: 'Placed', status: 'False', reason: 'NodeGroupQuota', message };
  }
  return explainRefusals(modelName, refusals);
}

/** Nothing may be asked beside the rung that serves: what it costs, or the groups that it holds, leave no room. */
function noRoomBeside({ decisions, leaving }: Climb): Condition {
  const cheapest = decisions.map(({ rung }) => rung).filter((rung) => rung.allowed);
  const least = Math.min(...cheapest.map((rung) => rung.usdPerHour));
  const both = formatUsd(sumUsd([least, leaving?.usdPerHour ?? 0]));
  const message = `Cannot ask for another rung beside it within the budget and the node groups of the cluster, at least ${both} for both: raise spec.budget.usdPerHour while it moves, or spec.maxNodeGroups of the InferenceCluster`;
  return { type: 'Placed', status: 'False', reason: 'OverBudget', message };
}

function since(moment: string | undefined): string {
  return moment === undefined ? '' : `, asked ${moment}`;
}
