import type { Outcome } from './play-world.ts';
import type { Policy, PolicyName } from './policies/policy.ts';
import { type PolicyFigures, quantile, sum, summarise, timesToServing } from './summarise.ts';

/** How much sooner another policy served than ours, in the worlds in which it did. */
export interface Wins {
  readonly policy: PolicyName;
  /** Worlds in which it served sooner, by more than creating at zero explains. */
  readonly worlds: number;
  /** By how many minutes, the median of these worlds. */
  readonly medianMinutes: number;
}

/** A simulation as it is printed. */
export interface Report {
  readonly description: string;
  readonly firstSeed: number;
  readonly worlds: number;
  readonly horizonMinutes: number;
  readonly figures: readonly PolicyFigures[];
  readonly details: readonly PolicyDetails[];
  readonly wins: readonly Wins[];
}

/** What the table shows beside the figures. */
export interface PolicyDetails {
  readonly policy: PolicyName;
  /** Instances that were given up before their node could be seen. */
  readonly givenUpBooting: number;
  readonly outageMinutes: number;
  /** Minutes to serving of every world, for the picture. */
  readonly times: readonly number[];
}

export interface ReportQuestion {
  readonly outcomes: ReadonlyMap<Policy, readonly Outcome[]>;
  readonly description: string;
  readonly firstSeed: number;
  readonly horizonMinutes: number;
}

/** Everything that is said of a simulation. */
export function makeReport({ outcomes, description, firstSeed, horizonMinutes }: ReportQuestion): Report {
  const each = [...outcomes].map(([policy, own]) => ({ policy: policy.name, own }));
  const figures = each.map(({ policy, own }) => summarise(policy, own, horizonMinutes));
  const details = each.map(({ policy, own }) => ({
    policy,
    givenUpBooting: sum(own.map(({ givenUpBooting }) => givenUpBooting)),
    outageMinutes: sum(own.map(({ outageMinutes }) => outageMinutes)),
    times: timesToServing(own, horizonMinutes),
  }));
  const ours = details.find(({ policy }) => policy === 'ours')?.times ?? [];
  const atZero = figures.find(({ policy }) => policy === 'ours')?.createAtZeroMinutes ?? 0;
  const others = ours.length === 0 ? [] : details.filter(({ policy }) => policy !== 'ours');
  const wins = others.map(({ policy, times }) => winsOver({ policy, times, ours, atZero }));
  return { description, firstSeed, worlds: each[0]?.own.length ?? 0, horizonMinutes, figures, details, wins };
}

interface Match {
  readonly policy: PolicyName;
  readonly times: readonly number[];
  readonly ours: readonly number[];
  readonly atZero: number;
}

function winsOver({ policy, times, ours, atZero }: Match): Wins {
  const sooner = times.map((minutes, index) => (ours[index] ?? minutes) - minutes).filter((by) => by > atZero);
  return { policy, worlds: sooner.length, medianMinutes: sooner.length === 0 ? 0 : quantile(sooner, 0.5) };
}

/** The figures as one JSON document. */
export function formatJson({ figures }: Report): string {
  return `${JSON.stringify({ policies: figures }, null, 2)}\n`;
}
