import type { CaseResult } from './case-result.ts';
import { wilsonInterval } from './odds.ts';

/** What two endpoints show of one case. */
export type Comparison = 'BothPass' | 'BothFail' | 'FirstWorse' | 'FirstBetter';

export interface ComparedCase {
  readonly first: CaseResult;
  /** Undefined where the second was not asked. */
  readonly second?: CaseResult;
  readonly comparison?: Comparison;
}

export interface ComparedResults {
  readonly cases: readonly ComparedCase[];
  /** Whether the first is worse than the second, or fails a case where there is no second. */
  readonly isWorse: boolean;
}

/** The results of the first endpoint beside those of the second, case by case. */
export function compareResults(
  first: readonly CaseResult[],
  second: readonly CaseResult[] | undefined,
): ComparedResults {
  const cases = first.map((one): ComparedCase => {
    const other = second?.find(({ name, protocol }) => name === one.name && protocol === one.protocol);
    const beside = other ?? second?.find(({ name }) => name === one.name);
    return beside === undefined ? { first: one } : { first: one, second: beside, comparison: compare(one, beside) };
  });
  const isWorse = cases.some(({ first: one, comparison }) =>
    comparison === undefined ? one.verdict === 'Failed' : comparison === 'FirstWorse',
  );
  return { cases, isWorse };
}

/** One that is proven to pass less often is worse, even where both fail or both pass: their intervals lie apart. */
function compare(first: CaseResult, second: CaseResult): Comparison {
  if (first.verdict === 'Failed' && second.verdict === 'Passed') return 'FirstWorse';
  if (first.verdict === 'Passed' && second.verdict === 'Failed') return 'FirstBetter';
  const own = wilsonInterval(first.passed, first.tries);
  const other = wilsonInterval(second.passed, second.tries);
  if (own.to < other.from) return 'FirstWorse';
  if (other.to < own.from) return 'FirstBetter';
  return first.verdict === 'Failed' ? 'BothFail' : 'BothPass';
}
