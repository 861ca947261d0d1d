import { requestsAtOnce } from '../../domain/fit/requests-at-once.ts';
import { rankForLoad, sharesRequests } from '../../domain/placement/rank-for-load.ts';
import { describeShape } from '../../domain/shape/shape.ts';
import type { DeploymentReading } from './read-deployment.ts';

/** What the load takes on one candidate. */
export interface RankedCandidate {
  readonly class: string;
  readonly shape: string;
  readonly cluster: string;
  readonly replicas: number;
  readonly usdPerHour?: number;
  /** By the roofline: for comparing candidates, never a promise. */
  readonly estimatedTokensPerSecond?: number;
}

/** The load of a claim, the assumption behind it, and the candidates by what they cost for it. */
export interface ExplainedLoad {
  readonly requests: number;
  readonly over: 'AllReplicas' | 'EachReplica';
  readonly rule: string;
  readonly ranked: readonly RankedCandidate[];
}

/** Ranks every candidate of a deployment by its price for the load. */
export function explainLoad({ spec, found, clusters }: DeploymentReading): ExplainedLoad {
  const candidates = clusters.flatMap((one) => one.candidates.allowed);
  const { load, replicas } = spec;
  const ranked = rankForLoad(candidates, { facts: found.facts, load, replicas });
  return {
    ...requestsAtOnce(load),
    over: sharesRequests(load) ? 'AllReplicas' : 'EachReplica',
    ranked: ranked.map(({ candidate, tokensPerSecond, ...cost }) => ({
      class: candidate.hardwareClass.name,
      shape: describeShape(candidate.shape, candidate.hardwareClass.accelerator.name),
      cluster: candidate.cluster.name,
      ...cost,
      ...(tokensPerSecond === undefined ? {} : { estimatedTokensPerSecond: tokensPerSecond }),
    })),
  };
}
