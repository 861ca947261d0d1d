import type { Protocol } from './ask.ts';
import type { EvidenceCase } from './cases/case.ts';
import { planTries, type TryPlan } from './odds.ts';

export interface PlanQuestion {
  readonly cases: readonly EvidenceCase[];
  readonly protocols: readonly Protocol[];
  readonly tries: number;
  readonly leastPassShare: number;
  /** Most output tokens of one answer. */
  readonly outputTokens: number;
}

/** One case on one protocol, with how often it is tried. */
export interface PlannedCase extends TryPlan {
  readonly case: EvidenceCase;
  readonly protocol: Protocol;
}

export interface CasePlan {
  readonly planned: readonly PlannedCase[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

/** What is tried, in order: every case that the endpoint has room to answer, on each protocol that it is for. */
export function planCases({ cases, protocols, tries, leastPassShare, outputTokens }: PlanQuestion): CasePlan {
  const tooLong = cases.filter(({ needsTokens }) => needsTokens > outputTokens);
  const leftOut = tooLong.map(({ name, needsTokens }) => ({
    name,
    why: `needs answers of ${needsTokens} tokens, and at most ${outputTokens} are written`,
  }));
  const planned = cases
    .filter((one) => !tooLong.includes(one))
    .flatMap((one) => {
      const plan = planTries(one.length, tries, leastPassShare);
      return protocolsOf(one, protocols).map((protocol) => ({ case: one, protocol, ...plan }));
    });
  return { planned, leftOut };
}

/** Where only a protocol is spoken that the case would not be asked on, it is asked on that. */
function protocolsOf(one: EvidenceCase, spoken: readonly Protocol[]): readonly Protocol[] {
  const both = spoken.filter((protocol) => one.protocols.includes(protocol));
  return both.length === 0 ? spoken.slice(0, 1) : both;
}
