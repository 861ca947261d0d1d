import type { Answer } from './ask.ts';
import { quantile } from './case-result.ts';
import { gradeStream } from './grade.ts';

/** What an endpoint did under the load of many users at once (L42). */
export interface LoadResult {
  readonly users: number;
  /** Requests at once of each user. */
  readonly concurrency: number;
  readonly requests: number;
  readonly failed: number;
  /** What went wrong first; undefined where nothing did. */
  readonly failure?: string;
  readonly firstPartMillis?: { readonly p50: number; readonly p95: number; readonly most: number };
  /** Output tokens per second of all requests together. */
  readonly tokensPerSecond: number;
}

export interface LoadSeen {
  readonly users: number;
  readonly concurrency: number;
  readonly answers: readonly Answer[];
  readonly totalMillis: number;
}

/** Sums up the answers of a load; those that failed count as failed and not in the times. */
export function sumUpLoad({ users, concurrency, answers, totalMillis }: LoadSeen): LoadResult {
  const failures = answers.map(gradeStream).filter((failure) => failure !== undefined);
  const times = answers.filter((one) => gradeStream(one) === undefined).flatMap((one) => one.firstPartMillis ?? []);
  const tokens = answers.reduce((sum, { usage, events }) => sum + (usage?.outputTokens ?? events), 0);
  const [first] = failures;
  const p50 = quantile(times, 0.5);
  return {
    users,
    concurrency,
    requests: answers.length,
    failed: failures.length,
    ...(first === undefined ? {} : { failure: `${first.reason}: ${first.found}` }),
    ...(p50 === undefined
      ? {}
      : { firstPartMillis: { p50, p95: quantile(times, 0.95) ?? p50, most: Math.max(...times) } }),
    tokensPerSecond: totalMillis <= 0 ? 0 : (tokens * 1000) / totalMillis,
  };
}
