import type { Condition } from '../kubernetes/condition.ts';
import type { UsdPerHour } from '../units/usd.ts';
import {
  type AmountName,
  type Amounts,
  amountNames,
  amountsOf,
  classOf,
  largest,
  nothing,
  ofClass,
} from './amounts.ts';
import { type Climb, climbLadder, type LadderQuestion } from './climb-ladder.ts';
import { formatAmount, type NamespaceShare, type NamespaceShares, type OwnerShares } from './namespace-share.ts';
import { countsAsAsked, type RungView } from './rung.ts';

export interface SharedClimb {
  readonly climb: Climb;
  /** The question with the bound that was climbed within. */
  readonly bounded: LadderQuestion;
  /** The rungs that would be asked if the ledgers granted all, now and after a rung gave up its place; unset: no cap. */
  readonly wished?: readonly (readonly RungView[])[];
}

/**
 * Climbs as far as the ledgers grant, and says how far it would climb in the room that the caps leave. What is asked
 * already is never above the bound, or a ledger that forgot a grant would park it (S1).
 */
export function climbWithinShare(question: LadderQuestion, shares: NamespaceShares | undefined): SharedClimb {
  if (shares === undefined) return { climb: climbLadder(question), bounded: question };
  const freely = bound(question, shares, ({ cap, others }) => cap - others);
  const wished = climbLadder(freely);
  const bounded = waitForClass(
    bound(question, shares, ({ granted }) => granted),
    wished,
    shares,
  );
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
    wished: [askedBy(wished), askedAfterParking(freely, wished)],
  };
}

/**
 * The question with nothing to ask but what the ledger of a class is about to grant: it answers within a reconcile, and a
 * dearer class that was asked meanwhile would be asked for nothing.
 */
function waitForClass(question: LadderQuestion, wished: Climb, { byClass = {} }: NamespaceShares): LadderQuestion {
  const turn = wished.decisions.find(({ wanted, rung }) => wanted === 'Asked' && !countsAsAsked(rung))?.rung;
  if (turn === undefined || !Object.hasOwn(byClass, classOf(turn))) return question;
  const rungs = question.rungs.map((rung) =>
    rung === turn || countsAsAsked(rung) ? rung : { ...rung, allowed: false },
  );
  return { ...question, rungs };
}

type RoomOf = (share: NamespaceShare) => number;

/** The question with the room of every share as a bound beside its own. */
function bound(question: LadderQuestion, shares: NamespaceShares, roomOf: RoomOf): LadderQuestion {
  const { policy, rungs } = question;
  const spending = rungs.filter(countsAsAsked);
  const all = boundsOf(shares, amountsOf(spending), roomOf);
  const usdPerHour = Math.min(policy.usdPerHour ?? Infinity, all.usdPerHour ?? Infinity);
  const byClass = Object.entries(shares.byClass ?? {}).map(([name, ofOwner]) => {
    return [name, boundsOf(ofOwner, amountsOf(ofClass(spending, name)), roomOf)] as const;
  });
  return {
    ...question,
    policy: {
      ...policy,
      ...all,
      ...(usdPerHour === Infinity ? {} : { usdPerHour }),
      ...(byClass.length === 0 ? {} : { byClass: Object.fromEntries(byClass) }),
    },
  };
}

function boundsOf(shares: OwnerShares, spent: Amounts, roomOf: RoomOf): { [name in AmountName]?: number } {
  const bounds = amountNames.flatMap((name) => {
    const share = shares[name];
    return share === undefined ? [] : [[name, Math.max(spent[name], roomOf(share))] as const];
  });
  return Object.fromEntries(bounds);
}

/** What is asked once the rung that gives up its place is gone: without a grant for that it would never give it up. */
function askedAfterParking(question: LadderQuestion, { decisions, winner }: Climb): readonly RungView[] {
  const parked = decisions.find(({ wanted }) => wanted === 'Parked')?.rung;
  if (winner !== undefined || parked === undefined) return [];
  return askedBy(climbLadder({ ...question, rungs: question.rungs.filter((rung) => rung !== parked) }));
}

/** Everything that is asked for after a climb. */
function askedBy({ decisions }: Climb): readonly RungView[] {
  return decisions.filter(({ wanted, rung }) => wanted === 'Asked' || countsAsAsked(rung)).map(({ rung }) => rung);
}

/** Price of everything that is asked for after a climb. */
export function spendingOf(climb: Climb): UsdPerHour {
  return amountsOf(askedBy(climb)).usdPerHour;
}

/** What would be asked if the ledgers granted all: of one class where it is named, else of all. */
export function wantedOf({ wished = [] }: Pick<SharedClimb, 'wished'>, className?: string): Amounts {
  const parts = wished.map((rungs) => amountsOf(className === undefined ? rungs : ofClass(rungs, className)));
  return parts.reduce(largest, nothing);
}

/** What a replica tells each ledger of the amounts that have a cap: what it would ask for, and what it has asked for. */
export function describeWanted(shared: SharedClimb, shares: NamespaceShares | undefined): Record<string, unknown> {
  if (shares === undefined) return {};
  const asked = askedBy(shared.climb);
  const wanted = wantedOf(shared);
  const { accelerators } = amountsOf(asked);
  const byClass = Object.keys(shares.byClass ?? {}).sort();
  return {
    ...(shares.usdPerHour === undefined ? {} : { wantedUsdPerHour: wanted.usdPerHour }),
    ...(shares.accelerators === undefined ? {} : { accelerators, wantedAccelerators: wanted.accelerators }),
    ...(byClass.length === 0 ? {} : { byClass: byClass.map((name) => describeClass(name, asked, shared)) }),
  };
}

/** What it has and wants of a class that has caps. */
function describeClass(name: string, asked: readonly RungView[], shared: SharedClimb): Record<string, unknown> {
  const wanted = wantedOf(shared, name);
  const { usdPerHour, accelerators } = amountsOf(ofClass(asked, name));
  const { usdPerHour: wantedUsdPerHour, accelerators: wantedAccelerators } = wanted;
  return { class: name, usdPerHour, accelerators, wantedUsdPerHour, wantedAccelerators };
}

/** The condition of a replica that has asked for nothing because a ledger has granted nothing yet. */
export function grantCondition(shared: SharedClimb, shares: NamespaceShares | undefined): Condition | undefined {
  if (shares === undefined || shared.climb.winner !== undefined || askedBy(shared.climb).length > 0) return undefined;
  const owners: readonly (readonly [OwnerShares, Amounts])[] = [
    [shares, wantedOf(shared)],
    ...Object.entries(shares.byClass ?? {}).map(([name, ofOwner]) => [ofOwner, wantedOf(shared, name)] as const),
  ];
  for (const [ofOwner, wanted] of owners) {
    const message = explainWaiting(ofOwner, wanted);
    if (message !== undefined) return { type: 'Placed', status: 'False', reason: 'WaitingForGrant', message };
  }
  return undefined;
}

function explainWaiting(shares: OwnerShares, wanted: Amounts): string | undefined {
  const name = amountNames.find((amount) => wanted[amount] > (shares[amount]?.granted ?? Infinity));
  const share = name === undefined ? undefined : shares[name];
  if (name === undefined || share === undefined) return undefined;
  const { owner, namespace, others, cap } = share;
  const [held, all] = [formatAmount(name, others), formatAmount(name, cap)];
  return `Waiting until ${owner} grants ${formatAmount(name, wanted[name])}: the other replicas of namespace "${namespace}" hold ${held} of ${all}`;
}
