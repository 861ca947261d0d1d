import type { CaseResult } from '../../domain/evidence/case-result.ts';
import type { ComparedCase, Comparison } from '../../domain/evidence/compare-results.ts';
import { faultReasons } from '../../domain/evidence/grade.ts';
import type { LoadResult } from '../../domain/evidence/load-result.ts';
import { chanceToPass, planTries, wilsonInterval } from '../../domain/evidence/odds.ts';
import { item, paragraph, section, table } from '../explain/layout.ts';
import type { ProbeAnswer, ProbedAnswer } from './run-probe.ts';

/** The answer as text: the cases side by side, then times, load, odds and the verdict. */
export function printProbe(answer: ProbeAnswer, width: number): string {
  const { first, second, leftOut, compared } = answer;
  const endpoints = second === undefined ? [first] : [first, second];
  const lines = [
    ...endpoints.flatMap((one, index) => paragraph(`${placeOf(index)}: ${nameOf(one)}`, width)),
    ...section('Cases', table([header(second !== undefined), ...compared.map(caseRow)], width)),
    ...section(
      'Not tried',
      leftOut.flatMap(({ name, why }) => item(`${name}: ${why}`, width)),
    ),
    ...section(
      'Times',
      endpoints.flatMap((one, index) => item(`${placeOf(index)}: ${sayTimes(one)}`, width)),
    ),
    ...section(
      'Under load',
      endpoints.flatMap(({ load }, index) =>
        load === undefined ? [] : item(`${placeOf(index)}: ${sayLoad(load)}`, width),
      ),
    ),
    ...section('How sure', item(sayOdds(answer), width)),
    '',
    ...paragraph(sayVerdict(answer), width),
  ];
  return `${lines.join('\n')}\n`;
}

function placeOf(index: number): string {
  return index === 0 ? 'First' : 'Second';
}

function nameOf({ url, model, protocols }: ProbedAnswer): string {
  return `${model} at ${url}, ${protocols.join(' and ')}`;
}

function header(hasSecond: boolean): readonly string[] {
  return hasSecond ? ['CASE', 'API', 'FIRST', 'SECOND', 'WHY'] : ['CASE', 'API', 'PASSED', 'WHY'];
}

/** The cells of one case. */
export function caseRow({ first, second, comparison }: ComparedCase): readonly string[] {
  const passes = second === undefined ? [sayPasses(first)] : [sayPasses(first), sayPasses(second)];
  return [first.name, first.protocol, ...passes, sayWhy(first, comparison)];
}

/** Passes of the tries, their share, and the interval of 95% for it. */
export function sayPasses({ passed, tries, verdict }: CaseResult): string {
  if (verdict === 'NotTried') return 'not tried';
  const { from, to } = wilsonInterval(passed, tries);
  return `${passed}/${tries} ${percent(passed / tries)} (${percent(from)} to ${percent(to)})`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

const comparisons: Readonly<Record<Comparison, string>> = {
  BothPass: '',
  BothFail: 'both fail: look at the case',
  FirstWorse: 'the first is worse',
  FirstBetter: 'the second is worse',
};

function sayWhy({ failure, verdict, allowed }: CaseResult, comparison: Comparison | undefined): string {
  const compared = comparison === undefined ? '' : comparisons[comparison];
  if (failure === undefined) return compared;
  const { reason, found, wanted } = failure;
  const few = verdict === 'Passed' ? `, which ${allowed} may` : '';
  const why = `${faultReasons[reason]}${few}: found ${found}; want ${wanted}`;
  return compared === '' ? why : `${compared}; ${why}`;
}

function sayTimes({ firstPartMillis, tokensPerSecond }: ProbedAnswer): string {
  if (firstPartMillis === undefined) return 'no answer came';
  const { p50, p95 } = firstPartMillis;
  const speed = tokensPerSecond === undefined ? '' : `; ${tokensPerSecond.toFixed(0)} tokens per second of one answer`;
  return `first token after ${millis(p50)}, ${millis(p95)} at the 95th percentile${speed}`;
}

function millis(value: number): string {
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`;
}

function sayLoad({ users, concurrency, requests, failed, failure, firstPartMillis, tokensPerSecond }: LoadResult) {
  const times =
    firstPartMillis === undefined
      ? 'no answer came'
      : `first token after ${millis(firstPartMillis.p50)}, ${millis(firstPartMillis.p95)} at the 95th percentile, ${millis(firstPartMillis.most)} at most`;
  const lost = failed === 0 ? '' : `; ${failed} failed, first with ${failure}`;
  return `${users} users with ${concurrency} requests each at once, ${requests} in all: ${times}; ${tokensPerSecond.toFixed(0)} tokens per second together${lost}`;
}

/** Share of wrong tries of the engine that cost two weeks was 0.7; a milder one is harder to catch (L6). */
const wrongShare = 0.3;

function sayOdds({ tries, leastPassShare }: ProbeAnswer): string {
  const plan = planTries('Short', tries, leastPassShare);
  const odds = Math.floor(1 / chanceToPass(plan, wrongShare)).toLocaleString('en');
  return `An engine that answers a case wrong in ${percent(wrongShare)} of the tries passes it with a chance of 1 in ${odds}: ${plan.tries} tries, of which ${plan.allowed} may fail`;
}

function sayVerdict({ first, second, isWorse, compared }: ProbeAnswer): string {
  const failing = first.cases.filter(({ verdict }) => verdict === 'Failed').map(({ name }) => name);
  const both = compared.filter(({ comparison }) => comparison === 'BothFail').length;
  if (second === undefined) return isWorse ? `The endpoint fails ${list(failing)}` : 'The endpoint passes every case';
  if (isWorse) return 'The first is worse than the second';
  return both === 0
    ? 'The first is not worse than the second'
    : 'Both fail: look at the case before you blame the engine';
}

function list(names: readonly string[]): string {
  const unique = [...new Set(names)];
  return unique.length === 0 ? 'under load' : unique.join(', ');
}
