import { type CaseResult, quantile } from '../../domain/evidence/case-result.ts';
import { type ComparedResults, compareResults } from '../../domain/evidence/compare-results.ts';
import type { LoadResult } from '../../domain/evidence/load-result.ts';
import { type CasePlan, planCases } from '../../domain/evidence/plan-cases.ts';
import { askEndpoint } from '../../functions/evidence/ask-endpoint.ts';
import { runCases } from '../../functions/evidence/run-cases.ts';
import { runLoad } from '../../functions/evidence/run-load.ts';
import type { ProbedEndpoint, ProbeQuestion } from './probe-flags.ts';
import { type BarStream, progressBar } from './progress-bar.ts';

/** What one endpoint showed. */
export interface ProbedAnswer {
  readonly url: string;
  readonly model: string;
  readonly protocols: readonly string[];
  readonly cases: readonly CaseResult[];
  readonly firstPartMillis?: { readonly p50: number; readonly p95: number };
  readonly tokensPerSecond?: number;
  readonly load?: LoadResult;
}

export interface ProbeAnswer {
  readonly first: ProbedAnswer;
  readonly second?: ProbedAnswer;
  readonly compared: ComparedResults['cases'];
  readonly leftOut: CasePlan['leftOut'];
  readonly tries: number;
  readonly leastPassShare: number;
  /** Whether the first is worse than the second, or fails a case where there is no second. */
  readonly isWorse: boolean;
}

/** Tries every endpoint, one after the other, so that none takes time from another. */
export async function runProbe(question: ProbeQuestion, stream: BarStream): Promise<ProbeAnswer> {
  const plans = question.endpoints.map(({ protocols }) => planCases({ ...question, protocols }));
  const bar = progressBar(
    stream,
    plans.reduce((sum, plan) => sum + stepsOf(plan, question), 0),
  );
  const answers: ProbedAnswer[] = [];
  for (const [index, endpoint] of question.endpoints.entries())
    answers.push(
      await probeOne(endpoint, { question, plan: plans[index] ?? { planned: [], leftOut: [] }, step: bar.step }),
    );
  bar.end();
  const [first, second] = answers;
  if (first === undefined) throw new Error('no endpoint was probed');
  const compared = compareResults(first.cases, second?.cases);
  return {
    first,
    ...(second === undefined ? {} : { second }),
    compared: compared.cases,
    leftOut: plans[0]?.leftOut ?? [],
    tries: question.tries,
    leastPassShare: question.leastPassShare,
    isWorse: compared.isWorse || failsMore(first.load, second?.load),
  };
}

function stepsOf({ planned }: CasePlan, { load }: ProbeQuestion): number {
  const requests = load === undefined ? 0 : load.users * load.concurrency * load.rounds;
  return planned.reduce((sum, { tries }) => sum + tries, requests);
}

interface OneProbe {
  readonly question: ProbeQuestion;
  readonly plan: CasePlan;
  readonly step: (name: string) => void;
}

async function probeOne(endpoint: ProbedEndpoint, { question, plan, step }: OneProbe): Promise<ProbedAnswer> {
  const { contextTokens, outputTokens, parallel, load } = question;
  const { url, model, protocols } = endpoint;
  const ask: Parameters<typeof runCases>[0]['ask'] = (protocol, asked) => askEndpoint(endpoint, protocol, asked);
  const cases = await runCases({
    ask,
    planned: plan.planned,
    contextTokens,
    outputTokens,
    concurrency: parallel,
    endsEarly: false,
    seed: 0,
    onTry: ({ case: one }) => step(one.name),
  });
  const [protocol = 'OpenAI'] = protocols;
  const loaded =
    load === undefined ? undefined : await runLoad({ ...load, ask, protocol, onAnswer: () => step('load') });
  return { url, model, protocols, cases, ...figuresOf(cases), ...(loaded === undefined ? {} : { load: loaded }) };
}

/** Times over all cases without load. */
function figuresOf(cases: readonly CaseResult[]): Pick<ProbedAnswer, 'firstPartMillis' | 'tokensPerSecond'> {
  const times = cases.flatMap(({ firstPartMillis }) => firstPartMillis);
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  const speed = quantile(
    cases.flatMap(({ tokensPerSecond }) => tokensPerSecond),
    0.5,
  );
  return {
    ...(p50 === undefined || p95 === undefined ? {} : { firstPartMillis: { p50, p95 } }),
    ...(speed === undefined ? {} : { tokensPerSecond: speed }),
  };
}

/** Under load the first is worse where it loses requests, and more of them than the second. */
function failsMore(first: LoadResult | undefined, second: LoadResult | undefined): boolean {
  return (first?.failed ?? 0) > (second?.failed ?? 0);
}
