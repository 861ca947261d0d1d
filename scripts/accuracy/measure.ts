/**
 * Holds the fit against logged starts. Errors are absolute and relative to the log. A figure is compared only where the
 * log states it and the fit answers; what it does not answer is counted as coverage, not left out.
 */
import type { FitCase } from '../../cli/fit/fit-case.ts';
import { type CaseAnswer, judgeCase } from '../../cli/fit/judge-case.ts';

/** One logged start and what the fit says of it. */
export interface Judged {
  readonly logged: FitCase;
  readonly answer: CaseAnswer;
}

/** The difference of one figure from the log. */
export interface Difference {
  readonly id: string;
  readonly family: string;
  readonly relative: number;
  readonly absolute: number;
  readonly setsConstant: boolean;
}

/** Judges every case. */
export function judgeAll(cases: readonly FitCase[]): readonly Judged[] {
  return cases.map((logged) => ({ logged, answer: judgeCase(logged) }));
}

/** Which figure of the answer stands against which of the log. */
const figures = {
  tokens: (answer: CaseAnswer) => answer.kvTokensFromLoggedKv,
  kv: (answer: CaseAnswer) => answer.kvGib,
  weights: (answer: CaseAnswer) => answer.weightsGibFromFiles,
} as const;
export type Figure = keyof typeof figures;

/** The differences of a figure; the KV cache only where the weights are the logged ones. */
export function differences(judged: readonly Judged[], figure: Figure): readonly Difference[] {
  return judged.flatMap(({ logged, answer }) => {
    const predicted = figures[figure](answer);
    const measured = measuredFigure(logged, figure);
    if (predicted === null || measured === undefined) return [];
    const absolute = Math.abs(predicted - measured);
    const relative = absolute / Math.abs(measured);
    const family = answer.family ?? 'unknown';
    return [{ id: logged.id, family, relative, absolute, setsConstant: logged.setsConstant === true }];
  });
}

function measuredFigure(logged: FitCase, figure: Figure): number | undefined {
  const { kv_tokens: tokens, available_kv_gib: kv, weights_gib_per_rank: weights } = logged;
  if (figure === 'weights') return weights ?? undefined;
  if (figure === 'kv') return weights == null || kv == null ? undefined : kv;
  return kv == null || kv <= 0 ? undefined : (tokens ?? undefined);
}

/** The pool that a relative error is stated for: below it a rounding of the log alone is percents. */
export const statedPoolGib = 2;

/** The value below which a share of the sorted values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
}

const failedStarts = new Set(['oom_at_start', 'kv_too_small_for_max_len', 'start_error', 'shape_error']);
export type Outcome = 'Served' | 'FailedToStart' | 'RanOutServing';

/** What became of a start; undefined for what tells nothing of memory. */
export function outcomeOf({ outcome }: FitCase): Outcome | undefined {
  if (outcome === 'served') return 'Served';
  if (outcome === 'oom_at_runtime') return 'RanOutServing';
  return failedStarts.has(outcome ?? '') ? 'FailedToStart' : undefined;
}

export type Said = 'Comfortable' | 'Tight' | 'Misfit' | 'Nothing';

/** What the fit said of a start. */
export function saidOf({ verdict, tight }: CaseAnswer): Said {
  if (verdict === null) return 'Nothing';
  if (verdict === 'Misfit') return 'Misfit';
  return tight === true ? 'Tight' : 'Comfortable';
}

/** The 95% interval of a share, by Wilson's score (read 2026-12-01). */
export function wilson(hits: number, total: number): readonly [number, number] {
  if (total === 0) return [0, 1];
  const z = 1.96;
  const share = hits / total;
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const [middle, scale] = [share + z ** 2 / (2 * total), 1 + z ** 2 / total];
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}
