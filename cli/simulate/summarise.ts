import type { Outcome } from './play-world.ts';
import type { PolicyName } from './policies/policy.ts';

/** One policy over all worlds. */
export interface PolicyFigures {
  readonly policy: PolicyName;
  /** A world that was never served counts with its whole horizon. */
  readonly timeToServingMinutes: { readonly median: number; readonly p90: number };
  /** Median minutes from the claim to the first request for an instance, where groups are created at zero; else 0. */
  readonly createAtZeroMinutes: number;
  readonly instancesLost: number;
  /** Worlds in which what ran and was asked for was above the budget at some moment. */
  readonly budgetBreaches: number;
  readonly neverServedShare: number;
  /** Mean dollars a world for instances that did not serve. */
  readonly usdBeyondNeed: number;
}

/** The figures of one policy. */
export function summarise(policy: PolicyName, outcomes: readonly Outcome[], horizonMinutes: number): PolicyFigures {
  const times = timesToServing(outcomes, horizonMinutes);
  const zero = outcomes
    .map(({ createAtZeroMinutes }) => createAtZeroMinutes)
    .filter((minutes) => minutes !== undefined);
  const unserved = outcomes.filter(({ servedAt }) => servedAt === undefined).length;
  return {
    policy,
    timeToServingMinutes: { median: quantile(times, 0.5), p90: quantile(times, 0.9) },
    createAtZeroMinutes: zero.length === 0 ? 0 : quantile(zero, 0.5),
    instancesLost: sum(outcomes.map(({ lost }) => lost)),
    budgetBreaches: outcomes.filter(({ breachMinutes }) => breachMinutes > 0).length,
    neverServedShare: round(unserved / outcomes.length, 4),
    usdBeyondNeed: round(sum(outcomes.map(({ usdBeyondNeed }) => usdBeyondNeed)) / outcomes.length, 2),
  };
}

/** Minutes to serving of every world, the horizon for one that was never served. */
export function timesToServing(outcomes: readonly Outcome[], horizonMinutes: number): readonly number[] {
  return outcomes.map(({ servedAt = horizonMinutes }) => servedAt);
}

/** The least value that at least a share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
