import type { Load } from '../fit/load.ts';
import { replicasFor, requestsAtOnce } from '../fit/requests-at-once.ts';
import { speedOf } from '../fit/shapes/rank-shapes.ts';
import { findProduct } from '../hardware/find-accelerator.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import { roundUsd } from '../units/usd.ts';
import type { Candidate } from './candidate.ts';

/** What a load takes on one candidate. */
export interface LoadedCandidate {
  readonly candidate: Candidate;
  /** As many as the claim wants, and more where callers of all replicas need more. */
  readonly replicas: number;
  /** All of them, each node as its dearest listed type; undefined while a price is unknown. */
  readonly usdPerHour?: number;
  /** An estimate by the roofline, of all replicas together, in two digits; undefined where rates are unknown. */
  readonly tokensPerSecond?: number;
}

export interface LoadQuestion {
  readonly facts: ModelFacts;
  readonly load: Load;
  /** Replicas that the claim wants. */
  readonly replicas: number;
}

/** The candidates that hold a load, the cheapest for it first, and of as dear the faster by estimate. */
export function rankForLoad(candidates: readonly Candidate[], question: LoadQuestion): readonly LoadedCandidate[] {
  const loaded = candidates.flatMap((candidate) => loadCandidate(candidate, question));
  return loaded.sort(
    (left, right) =>
      (left.usdPerHour ?? Number.MAX_VALUE) - (right.usdPerHour ?? Number.MAX_VALUE) ||
      (right.tokensPerSecond ?? 0) - (left.tokensPerSecond ?? 0),
  );
}

/** Whether all replicas share the requests at once, where each must run them of its own else. */
export function sharesRequests({ concurrentRequests, users }: Load): boolean {
  return concurrentRequests === undefined && users !== undefined;
}

function loadCandidate(candidate: Candidate, question: LoadQuestion): readonly LoadedCandidate[] {
  const { verdict, usdPerHour, hardwareClass, shape } = candidate;
  if (verdict.verdict !== 'Fit') return [];
  const { facts, load } = question;
  const { requests } = requestsAtOnce(load);
  const shared = sharesRequests(load);
  const replicas = shared ? Math.max(question.replicas, replicasFor(requests, verdict.concurrency)) : question.replicas;
  const share: Load = shared ? { ...load, concurrentRequests: Math.ceil(requests / replicas) } : load;
  const known = findProduct(hardwareClass.accelerator.productName);
  const speed = known === undefined ? undefined : speedOf({ facts, load: share, shape }, known, verdict);
  const price = usdPerHour === undefined ? {} : { usdPerHour: roundUsd(replicas * usdPerHour) };
  const rate =
    speed === undefined ? {} : { tokensPerSecond: Number((replicas * speed.decodeTokensPerSecond).toPrecision(2)) };
  return [{ candidate, replicas, ...price, ...rate }];
}
