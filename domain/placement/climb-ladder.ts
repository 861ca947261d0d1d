/**
 * Decides which rungs of a replica's ladder ask for nodes. Judged by nodes and time only: a provider's status says that
 * it gave up, never that capacity did (L11), and its hints are not read (L8). Rungs are asked in order; after `patience`
 * the next is asked beside the earlier one, which keeps asking, at most `hedge` at once and never above the budget.
 * The first rung whose nodes are all usable wins; a late one is kept until the winner serves.
 * Refused: tearing down a refused rung and moving on, as launchers do: an Auto Scaling group keeps trying for hours and
 * did deliver (L9, L11).
 * A reservation that nears its end is left as one that cannot hold the claim: another rung has its nodes first (rule 7).
 * Not done here: refusal memory.
 */
import { millisBetween, minuteMillis } from '../units/duration.ts';
import type { UsdPerHour } from '../units/usd.ts';
import { amountsOf, type Limits, stayWithin } from './amounts.ts';
import { type Moment, wakeAt } from './ladder-moments.ts';
import { raiseMinutes } from './raise-memory.ts';
import { askedAt, countsAsAsked, joinedNodes, parkedAt, type RungState, type RungView, usableNodes } from './rung.ts';

export interface LadderPolicy {
  /** Minutes without all nodes after which the next rung is asked beside this one. */
  readonly patienceMinutes: number;
  /** Rungs that may be asked at once. */
  readonly hedge: number;
  /** Share of the budget that everything asked at once may cost; undefined means no bound. */
  readonly usdPerHour?: UsdPerHour;
  /** Accelerators that everything asked at once may have; undefined means no bound. */
  readonly accelerators?: number;
  /** The same for what is of one class. */
  readonly byClass?: Limits['byClass'];
  /** Node groups that may still be created on the cluster. */
  readonly nodeGroupsLeft: number;
}

export interface LadderQuestion {
  /** In the order in which they are preferred. */
  readonly rungs: readonly RungView[];
  readonly policy: LadderPolicy;
  /** The rung that the live workload was rendered for. */
  readonly liveRung?: string;
  /** Whether that workload answers. */
  readonly serving: boolean;
  /** The author has edited what runs, so that a live rung which cannot hold the claim is left for one that can (rule 5). */
  readonly claimMoved?: boolean;
  readonly now: Date;
}

export interface RungDecision {
  readonly rung: RungView;
  readonly wanted: 'Asked' | 'Parked' | 'Untouched';
  readonly state: RungState;
}

export interface NextRung {
  readonly rung: RungView;
  /** Minutes after the latest asking at which it is asked. */
  readonly afterMinutes: number;
  /** What everything asked would cost then. */
  readonly totalUsdPerHour: UsdPerHour;
}

export interface Climb {
  readonly decisions: readonly RungDecision[];
  readonly winner?: RungView;
  /** The live rung, kept while another is sought, since it cannot hold the claim as it is now. */
  readonly leaving?: RungView;
  readonly next?: NextRung;
  /** No winner, and every rung that may be asked was asked. */
  readonly exhausted: boolean;
  readonly wakeInSeconds?: number;
}

/** Minutes without arrival after which a loser is parked: an instance boots 2 to 4 minutes before it joins (aws.md A7). */
const loserMinutes = 10;

/** Decides the size of every rung from what is observed now. */
export function climbLadder(question: LadderQuestion): Climb {
  const winner = findWinner(question);
  return winner === undefined ? climb(question) : settle(question, winner);
}

/**
 * The live rung while its nodes exist, else the first candidate whose nodes are all usable (rules 4 and 5). A rung that
 * a newer version or catalogue judges anew stays; one that the author's own edit made impossible is left.
 */
function findWinner(question: LadderQuestion): RungView | undefined {
  const { rungs, liveRung } = question;
  const live = rungs.find((rung) => rung.name === liveRung);
  const stays = live !== undefined && joinedNodes(live) >= live.nodes && findLeaving(question) === undefined;
  return stays ? live : rungs.find((rung) => rung.allowed && usableNodes(rung) >= rung.nodes);
}

/** The live rung, with all its nodes, that cannot hold what the author asks for now, or soon holds nothing at all. */
function findLeaving({ rungs, liveRung, claimMoved = false }: LadderQuestion): RungView | undefined {
  const live = rungs.find((rung) => rung.name === liveRung && !rung.allowed && joinedNodes(rung) >= rung.nodes);
  return claimMoved || live?.isEnding === true ? live : undefined;
}

function climb(question: LadderQuestion): Climb {
  const { rungs, policy, now } = question;
  const leaving = findLeaving(question);
  const asked = rungs.filter((rung) => askedAt(rung) !== undefined);
  const spending = rungs.filter(countsAsAsked);
  const waiting = rungs.filter((rung) => rung.allowed && !countsAsAsked(rung));
  const latest = asked.map(askedAt).sort().at(-1);
  const due = latest === undefined || millisBetween(latest, now) >= policy.patienceMinutes * minuteMillis;
  const candidate = nextRung({ policy, waiting, spending });
  // What is left holds its nodes already, so it takes no place among those that are asked.
  const places = spending.filter((rung) => rung !== leaving).length;
  const asking = due && places < policy.hedge ? candidate?.rung : undefined;
  const parking = asking === undefined ? findParkable({ question, asked, spending, waiting, due }) : undefined;
  const next = asking === undefined ? candidate : nextAfter(asking, { policy, waiting, spending });
  const decisions = rungs.map((rung): RungDecision => {
    if (rung === asking) return { rung, wanted: 'Asked', state: 'Asked' };
    const state = stateOf(rung, question);
    if (rung === parking) return { rung, wanted: 'Parked', state };
    return { rung, wanted: askedAt(rung) === undefined ? 'Untouched' : 'Asked', state };
  });
  return {
    decisions,
    ...(leaving === undefined ? {} : { leaving }),
    ...(next === undefined ? {} : { next }),
    exhausted: asking === undefined && due && waiting.every((rung) => parkedAt(rung) !== '' || lacksRoom(rung)),
    ...wakeAt(
      [
        ...(due ? parkingMoments(spending) : [{ from: latest, minutes: policy.patienceMinutes }]),
        ...raiseMoments(rungs),
      ],
      now,
    ),
  };
}

/** When a rung may have settled, so that it can give up its place, or is no longer waited for to give it up. */
function parkingMoments(spending: readonly RungView[]): readonly Moment[] {
  return spending.map((rung) => ({ from: askedAt(rung) ?? parkedAt(rung), minutes: loserMinutes }));
}

/** When a reported zero counts although no report has shown a raise. */
function raiseMoments(rungs: readonly RungView[]): readonly Moment[] {
  return rungs.flatMap(({ groups }) => groups.map(({ raisedAt }) => ({ from: raisedAt, minutes: raiseMinutes })));
}

interface Spending {
  readonly policy: LadderPolicy;
  readonly waiting: readonly RungView[];
  readonly spending: readonly RungView[];
}

/** The waiting rung that was parked longest ago, or never, and has room beside everything that still costs. */
function nextRung({ policy, waiting, spending }: Spending): NextRung | undefined {
  for (const rung of sortByText(waiting, parkedAt)) {
    if (lacksRoom(rung) || lacksGroups(rung, policy)) continue;
    const all = [...spending, rung];
    if (!stayWithin(all, policy)) continue;
    return { rung, afterMinutes: policy.patienceMinutes, totalUsdPerHour: amountsOf(all).usdPerHour };
  }
  return undefined;
}

/** What comes after a rung that is asked now; nothing does at a known time while a ledger has to answer. */
function nextAfter(asking: RungView, spending: Spending): NextRung | undefined {
  return asking.pool === undefined ? nextRung(withAsked(spending, asking)) : undefined;
}

/** A pool in which nothing is free, or of which the granted nodes are gone, is not waited for: no node is on its way. */
function lacksRoom({ pool }: RungView): boolean {
  return pool !== undefined && pool.room !== 'Free';
}

function lacksGroups({ pool, groups, nodes }: RungView, { nodeGroupsLeft }: LadderPolicy): boolean {
  return pool === undefined && groups.length === 0 && nodes > nodeGroupsLeft;
}

function withAsked({ policy, waiting, spending }: Spending, asking: RungView): Spending {
  return { policy, waiting: waiting.filter((rung) => rung !== asking), spending: [...spending, asking] };
}

interface ParkQuestion {
  readonly question: LadderQuestion;
  readonly asked: readonly RungView[];
  readonly spending: readonly RungView[];
  readonly waiting: readonly RungView[];
  readonly due: boolean;
}

/**
 * The rung that gives up its place (rule 2): it asked longest, holds nothing, and nothing of it can be arriving. At once
 * where the budget no longer holds all that is asked; else only where its place would let a waiting rung be asked.
 */
function findParkable({ question, asked, spending, waiting, due }: ParkQuestion): RungView | undefined {
  const { policy, now } = question;
  const empty = sortByText(
    asked.filter((rung) => joinedNodes(rung) === 0),
    (rung) => askedAt(rung) ?? '',
  );
  if (!stayWithin(asked, policy)) return empty[0];
  // EC2 launches nothing more of a reservation that ends, and what came now would be taken away again.
  const ended = empty.find((rung) => rung.isEnding === true);
  if (ended !== undefined) return ended;
  if (!due || spending.some((rung) => isGivingWay(rung, now))) return undefined;
  return empty.find((rung) => {
    const isSettled = millisBetween(askedAt(rung) ?? '', now) >= loserMinutes * minuteMillis;
    const rest = spending.filter((other) => other !== rung);
    return isSettled && rest.length < policy.hedge && nextRung({ policy, waiting, spending: rest }) !== undefined;
  });
}

/** A rung that was parked a moment ago and is not seen at zero yet: its place is on its way. A stuck one is not waited for. */
function isGivingWay(rung: RungView, now: Date): boolean {
  return askedAt(rung) === undefined && millisBetween(parkedAt(rung), now) < loserMinutes * minuteMillis;
}

/** Sorts by a text and keeps the order of equals. */
function sortByText(rungs: readonly RungView[], textOf: (rung: RungView) => string): readonly RungView[] {
  return [...rungs].sort((left, right) => (textOf(left) < textOf(right) ? -1 : textOf(left) > textOf(right) ? 1 : 0));
}

/** With a winner: losers are parked once they hold nothing and nothing can be arriving, or once the winner serves. */
function settle(question: LadderQuestion, winner: RungView): Climb {
  const decisions = question.rungs.map((rung): RungDecision => {
    const state = stateOf(rung, question);
    if (rung === winner) return { rung, wanted: 'Asked', state };
    const asked = askedAt(rung);
    if (asked === undefined) return { rung, wanted: 'Untouched', state };
    return { rung, wanted: mayPark({ rung, asked, winner }, question) ? 'Parked' : 'Asked', state };
  });
  const losers = decisions.filter((decision) => decision.rung !== winner && decision.wanted === 'Asked');
  const ending = losers.map(({ rung }) => ({ from: askedAt(rung), minutes: loserMinutes }));
  const moments = [...ending, ...raiseMoments(question.rungs)];
  return { decisions, winner, exhausted: false, ...wakeAt(moments, question.now) };
}

/** A loser that holds nodes is kept until the winner itself serves: what serves now may be the loser (L12). */
function mayPark(
  { rung, asked, winner }: { readonly rung: RungView; readonly asked: string; readonly winner: RungView },
  { liveRung, serving, now }: LadderQuestion,
): boolean {
  if (joinedNodes(rung) > 0) return serving && liveRung === winner.name;
  return millisBetween(asked, now) >= loserMinutes * minuteMillis;
}

function stateOf(rung: RungView, { liveRung, serving }: LadderQuestion): RungState {
  if (rung.groups.length === 0) return 'Free';
  if (rung.name === liveRung && serving) return 'Serving';
  if (usableNodes(rung) >= rung.nodes) return 'Usable';
  if (joinedNodes(rung) >= rung.nodes) return 'Joined';
  if (joinedNodes(rung) > 0) return 'Arriving';
  if (askedAt(rung) !== undefined) return 'Asked';
  return countsAsAsked(rung) ? 'Draining' : 'Parked';
}
