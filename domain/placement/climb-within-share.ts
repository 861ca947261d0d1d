import type { Condition } from '../kubernetes/condition.ts';
import { formatUsd, sumUsd, type UsdPerHour } from '../units/usd.ts';
import { type Climb, climbLadder, type LadderQuestion } from './climb-ladder.ts';
import type { NamespaceShare } from './namespace-share.ts';
import { countsAsAsked } from './rung.ts';

export interface SharedClimb {
  readonly climb: Climb;
  /** The question with the bound that was climbed within. */
  readonly bounded: LadderQuestion;
  /** What everything asked would cost if the ledger granted it; undefined where the namespace has no cap. */
  readonly wantedUsdPerHour?: UsdPerHour;
}

/**
 * Climbs as far as the ledger grants, and says how far it would climb in the room that the cap leaves. What is asked
 * already is never above the bound, or a ledger that forgot a grant would park it (S1).
 */
export function climbWithinShare(question: LadderQuestion, share: NamespaceShare | undefined): SharedClimb {
  if (share === undefined) return { climb: climbLadder(question), bounded: question };
  const { policy, rungs } = question;
  const spent = sumUsd(rungs.filter(countsAsAsked).map((rung) => rung.usdPerHour));
  const within = (room: UsdPerHour): LadderQuestion => {
    const usdPerHour = Math.min(policy.usdPerHour ?? Infinity, Math.max(spent, room));
    return { ...question, policy: { ...policy, usdPerHour } };
  };
  const freely = within(share.cap - share.others);
  const wished = climbLadder(freely);
  const bounded = within(share.granted);
  const climb = climbLadder(bounded);
  const wakes = [climb.wakeInSeconds, wished.wakeInSeconds].filter((wake) => wake !== undefined);
  const next = climb.next ?? wished.next;
  return {
    climb: {
      ...climb,
      ...(next === undefined ? {} : { next }),
      ...(wakes.length === 0 ? {} : { wakeInSeconds: Math.min(...wakes) }),
    },
    bounded,
    wantedUsdPerHour: Math.max(spendingOf(wished), spendingAfterParking(freely, wished)),
  };
}

/** What is asked once the rung that gives up its place is gone: without a grant for that it would never give it up. */
function spendingAfterParking(question: LadderQuestion, { decisions, winner }: Climb): UsdPerHour {
  const parked = decisions.find(({ wanted }) => wanted === 'Parked')?.rung;
  if (winner !== undefined || parked === undefined) return 0;
  return spendingOf(climbLadder({ ...question, rungs: question.rungs.filter((rung) => rung !== parked) }));
}

/** Price of everything that is asked for after a climb. */
export function spendingOf({ decisions }: Climb): UsdPerHour {
  const asked = decisions.filter(({ wanted, rung }) => wanted === 'Asked' || countsAsAsked(rung));
  return sumUsd(asked.map(({ rung }) => rung.usdPerHour));
}

/** The condition of a replica that has asked for nothing because the ledger has granted nothing yet. */
export function grantCondition(
  { climb, wantedUsdPerHour = 0 }: SharedClimb,
  share: NamespaceShare | undefined,
): Condition | undefined {
  if (share === undefined || climb.winner !== undefined) return undefined;
  if (spendingOf(climb) > 0 || wantedUsdPerHour <= share.granted) return undefined;
  const { owner, namespace, others, cap } = share;
  const message = `Waiting until ${owner} grants ${formatUsd(wantedUsdPerHour)}: the other replicas of namespace "${namespace}" hold ${formatUsd(others)} of ${formatUsd(cap)}`;
  return { type: 'Placed', status: 'False', reason: 'WaitingForGrant', message };
}
