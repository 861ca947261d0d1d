import type { Condition } from '../kubernetes/condition.ts';
import type { UsdPerHour } from '../units/usd.ts';
import { type AmountName, type Amounts, amountNames, amountsOf, largest, nothing } from './amounts.ts';
import { type Climb, climbLadder, type LadderQuestion } from './climb-ladder.ts';
import { formatAmount, type NamespaceShare, type NamespaceShares } from './namespace-share.ts';
import { countsAsAsked } from './rung.ts';

export interface SharedClimb {
  readonly climb: Climb;
  /** The question with the bound that was climbed within. */
  readonly bounded: LadderQuestion;
  /** What everything asked would take if the ledger granted it; undefined where the namespace has no cap. */
  readonly wanted?: Amounts;
}

/**
 * Climbs as far as the ledger grants, and says how far it would climb in the room that the caps leave. What is asked
 * already is never above the bound, or a ledger that forgot a grant would park it (S1).
 */
export function climbWithinShare(question: LadderQuestion, shares: NamespaceShares | undefined): SharedClimb {
  if (shares === undefined) return { climb: climbLadder(question), bounded: question };
  const { policy, rungs } = question;
  const spent = amountsOf(rungs.filter(countsAsAsked));
  const within = (roomOf: (share: NamespaceShare) => number): LadderQuestion => {
    const bounds = amountNames.flatMap((name) => {
      const share = shares[name];
      if (share === undefined) return [];
      return [[name, Math.min(policy[name] ?? Infinity, Math.max(spent[name], roomOf(share)))] as const];
    });
    return { ...question, policy: { ...policy, ...Object.fromEntries(bounds) } };
  };
  const freely = within(({ cap, others }) => cap - others);
  const wished = climbLadder(freely);
  const bounded = within(({ granted }) => granted);
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
    wanted: largest(askedBy(wished), askedAfterParking(freely, wished)),
  };
}

/** What is asked once the rung that gives up its place is gone: without a grant for that it would never give it up. */
function askedAfterParking(question: LadderQuestion, { decisions, winner }: Climb): Amounts {
  const parked = decisions.find(({ wanted }) => wanted === 'Parked')?.rung;
  if (winner !== undefined || parked === undefined) return nothing;
  return askedBy(climbLadder({ ...question, rungs: question.rungs.filter((rung) => rung !== parked) }));
}

/** Everything that is asked for after a climb. */
function askedBy({ decisions }: Climb): Amounts {
  const asked = decisions.filter(({ wanted, rung }) => wanted === 'Asked' || countsAsAsked(rung));
  return amountsOf(asked.map(({ rung }) => rung));
}

/** Price of everything that is asked for after a climb. */
export function spendingOf(climb: Climb): UsdPerHour {
  return askedBy(climb).usdPerHour;
}

/** What a replica tells the ledger of each amount that has a cap: what it would ask for, and what of that it has not said. */
export function describeWanted(
  { climb, wanted }: SharedClimb,
  shares: NamespaceShares | undefined,
): Record<string, number> {
  if (wanted === undefined) return {};
  const { accelerators } = askedBy(climb);
  return {
    ...(shares?.usdPerHour === undefined ? {} : { wantedUsdPerHour: wanted.usdPerHour }),
    ...(shares?.accelerators === undefined ? {} : { accelerators, wantedAccelerators: wanted.accelerators }),
  };
}

/** The condition of a replica that has asked for nothing because the ledger has granted nothing yet. */
export function grantCondition(
  { climb, wanted = nothing }: SharedClimb,
  shares: NamespaceShares | undefined,
): Condition | undefined {
  if (shares === undefined || climb.winner !== undefined || askedBy(climb).accelerators > 0) return undefined;
  const lacking = amountNames.find((name) => wanted[name] > (shares[name]?.granted ?? Infinity));
  const share = lacking === undefined ? undefined : shares[lacking];
  if (lacking === undefined || share === undefined) return undefined;
  const message = sayWaiting(lacking, wanted[lacking], share);
  return { type: 'Placed', status: 'False', reason: 'WaitingForGrant', message };
}

function sayWaiting(name: AmountName, wanted: number, { owner, namespace, others, cap }: NamespaceShare): string {
  const [held, all] = [formatAmount(name, others), formatAmount(name, cap)];
  return `Waiting until ${owner} grants ${formatAmount(name, wanted)}: the other replicas of namespace "${namespace}" hold ${held} of ${all}`;
}
