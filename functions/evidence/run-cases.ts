import type { Answer, Ask, Protocol } from '../../domain/evidence/ask.ts';
import { type CaseResult, countTries, isDecided, isSilent, type JudgedTry } from '../../domain/evidence/case-result.ts';
import type { CaseSetting } from '../../domain/evidence/cases/case.ts';
import { fillerLines, measuredLines, usualTokensPerLine } from '../../domain/evidence/cases/filler.ts';
import { gradeStream } from '../../domain/evidence/grade.ts';
import type { PlannedCase } from '../../domain/evidence/plan-cases.ts';

/** Sends one question to an endpoint. */
export type AskOne = (protocol: Protocol, ask: Ask) => Promise<Answer>;

export interface CasesToRun {
  readonly ask: AskOne;
  readonly planned: readonly PlannedCase[];
  readonly contextTokens: number;
  /** Most output tokens of one answer: no more is asked for, since some engines refuse that. */
  readonly outputTokens: number;
  /** Tries at once. */
  readonly concurrency: number;
  /** Whether a case ends when its verdict is known, or when every try was made. */
  readonly endsEarly: boolean;
  /** Number of the first try: another one asks other questions. */
  readonly seed: number;
  /** Called after each try. */
  readonly onTry: (planned: PlannedCase) => void;
}

/** Tries every planned case in order; where the endpoint does not answer at all, the rest is not tried. */
export async function runCases(question: CasesToRun): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  let tokensPerLine: number | undefined;
  for (const planned of question.planned) {
    if (results.some(isSilent)) {
      results.push(countTries(planned, []));
      continue;
    }
    if (planned.case.length === 'Long') tokensPerLine ??= await measureLine(question.ask, planned.protocol);
    const setting = { contextTokens: question.contextTokens, tokensPerLine: tokensPerLine ?? usualTokensPerLine };
    results.push(await runCase(question, planned, setting));
  }
  return results;
}

/** Tokens of one filler line as the endpoint counts them, kept from what would be absurd. */
async function measureLine(ask: AskOne, protocol: Protocol): Promise<number> {
  const prompt = `${fillerLines(0, measuredLines).join('\n')}\n\nAnswer with OK.`;
  const { usage } = await ask(protocol, { prompt, mostTokens: 16 });
  const measured = (usage?.inputTokens ?? 0) / measuredLines;
  return measured < usualTokensPerLine / 3 || measured > usualTokensPerLine * 3 ? usualTokensPerLine : measured;
}

async function runCase(question: CasesToRun, planned: PlannedCase, setting: CaseSetting): Promise<CaseResult> {
  const { ask, concurrency, endsEarly, seed, onTry } = question;
  const judged: JudgedTry[] = [];
  let next = 0;
  const isOver = () =>
    next >= planned.tries || isHopeless(judged, planned) || (endsEarly && isDecided(planned, judged));
  const lane = async () => {
    while (!isOver()) {
      const { ask: asked, grade } = planned.case.prepare(seed + next, setting);
      next += 1;
      const mostTokens = Math.min(asked.mostTokens, question.outputTokens);
      const answer = await ask(planned.protocol, { ...asked, mostTokens });
      judged.push({ answer, grade: gradeStream(answer) ?? grade(answer) });
      onTry(planned);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, planned.tries) }, lane));
  return countTries(planned, judged);
}

/** An endpoint that is not there is not asked as often as one that answers wrong. */
function isHopeless(judged: readonly JudgedTry[], planned: PlannedCase): boolean {
  return isDecided(planned, judged) && isSilent(countTries(planned, judged));
}
