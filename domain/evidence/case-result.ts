import type { Answer, Protocol } from './ask.ts';
import type { Failed, Grade } from './grade.ts';
import type { PlannedCase } from './plan-cases.ts';

/** What the tries of one case on one protocol come to. */
export interface CaseResult {
  readonly name: string;
  readonly protocol: Protocol;
  readonly tries: number;
  readonly allowed: number;
  readonly passed: number;
  readonly failed: number;
  /** The failure that was seen most often, first among equals. */
  readonly failure?: Failed;
  readonly verdict: 'Passed' | 'Failed' | 'NotTried';
  /** Milliseconds to the first part of each answer. */
  readonly firstPartMillis: readonly number[];
  /** Output tokens per second of each answer after its first part. */
  readonly tokensPerSecond: readonly number[];
}

/** One try that was judged. */
export interface JudgedTry {
  readonly answer: Answer;
  readonly grade: Grade;
}

/** Tells whether the verdict is known before every try was made: no further one could change it. */
export function isDecided({ allowed }: Pick<PlannedCase, 'allowed'>, judged: readonly JudgedTry[]): boolean {
  return judged.filter(({ grade }) => !grade.passed).length > allowed;
}

/** Counts the tries of a case; one without any was not tried. */
export function countTries(planned: PlannedCase, judged: readonly JudgedTry[]): CaseResult {
  const failures = judged.map(({ grade }) => grade).filter((grade) => !grade.passed);
  const answers = judged.map(({ answer }) => answer);
  const failure = mostFrequent(failures);
  return {
    name: planned.case.name,
    protocol: planned.protocol,
    tries: judged.length,
    allowed: planned.allowed,
    passed: judged.length - failures.length,
    failed: failures.length,
    ...(failure === undefined ? {} : { failure }),
    verdict: judged.length === 0 ? 'NotTried' : failures.length > planned.allowed ? 'Failed' : 'Passed',
    firstPartMillis: answers.flatMap(({ firstPartMillis }) => firstPartMillis ?? []),
    tokensPerSecond: answers.flatMap((answer) => speedOf(answer) ?? []),
  };
}

function mostFrequent(failures: readonly Failed[]): Failed | undefined {
  const counts = Map.groupBy(failures, ({ reason }) => reason);
  return [...counts.values()].sort((left, right) => right.length - left.length)[0]?.[0];
}

/** Fewest tokens by which a speed is measured. */
const leastTokens = 50;

/** Tokens after the first part per second; where usage is missing, each event counts as one. */
function speedOf({ usage, events, firstPartMillis, totalMillis }: Answer): number | undefined {
  const tokens = usage?.outputTokens ?? events;
  const millis = firstPartMillis === undefined ? 0 : totalMillis - firstPartMillis;
  return tokens < leastTokens || millis <= 0 ? undefined : ((tokens - 1) * 1000) / millis;
}

/** Failures after which nothing else is worth trying: the endpoint is not there. */
const isGone = new Set(['TimedOut', 'Unreachable']);

/** Tells whether a case failed since the endpoint does not answer, so that every other one would fail the same way. */
export function isSilent({ verdict, passed, failure }: CaseResult): boolean {
  return verdict === 'Failed' && passed === 0 && failure !== undefined && isGone.has(failure.reason);
}

/** The value below which a share of the values is; undefined without values. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
