import {
  type Difference,
  differences,
  type Judged,
  type Outcome,
  outcomeOf,
  quantile,
  type Said,
  saidOf,
  statedPoolGib,
} from './measure.ts';

/** The figures that may not get worse, by name; a share counts hits, an error is smaller when better. */
export interface Figures {
  readonly [name: string]: { readonly value: number; readonly goal: number; readonly better: 'less' | 'more' };
}

/** Every figure that has a goal. */
export function summarise(judged: readonly Judged[]): Figures {
  const tokens = differences(judged, 'tokens');
  const kv = differences(judged, 'kv');
  const kvStated = kv.filter((one) => one.absolute / one.relative >= statedPoolGib);
  const weights = differences(judged, 'weights');
  const relative = (all: readonly Difference[], share: number) => quantile(relativeOf(all), share);
  const verdicts = confusion(judged);
  return {
    'tokens within 1%': more(
      share(tokens, (one) => one.relative <= 0.01),
      0.99,
    ),
    'KV GiB, pools of 2 GiB and more, median': less(relative(kvStated, 0.5), 0.03),
    'KV GiB, pools of 2 GiB and more, p90': less(relative(kvStated, 0.9), 0.12),
    'KV GiB, all pools, absolute p90 in GiB': less(
      quantile(
        kv.map((one) => one.absolute),
        0.9,
      ),
      1.2,
    ),
    'weights from files, median': less(relative(weights, 0.5), 0.01),
    'weights from files, p90': less(relative(weights, 0.9), 0.025),
    'failed starts called comfortable': less(shareOf(verdicts, 'FailedToStart', ['Comfortable']), 0),
    'failed starts called tight': less(shareOf(verdicts, 'FailedToStart', ['Tight']), 0.15),
    'served starts called Misfit': less(shareOf(verdicts, 'Served', ['Misfit']), 0.03),
    'ran out while serving, called comfortable': less(shareOf(verdicts, 'RanOutServing', ['Comfortable']), 0),
    ...coverage(judged),
  };
}

function less(value: number, goal: number): Figures[string] {
  return { value, goal, better: 'less' };
}

function more(value: number, goal: number): Figures[string] {
  return { value, goal, better: 'more' };
}

export function relativeOf(all: readonly Difference[]): readonly number[] {
  return all.map((one) => one.relative);
}

function share<T>(all: readonly T[], isHit: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(isHit).length / all.length;
}

/** How often each was said of each outcome. */
export type Confusion = Readonly<Record<Outcome, Readonly<Record<Said, number>>>>;

/** Counts what was said of what became of each start. */
export function confusion(judged: readonly Judged[]): Confusion {
  const none = () => ({ Comfortable: 0, Tight: 0, Misfit: 0, Nothing: 0 });
  const counts = { Served: none(), FailedToStart: none(), RanOutServing: none() };
  for (const { logged, answer } of judged) {
    const outcome = outcomeOf(logged);
    if (outcome !== undefined) counts[outcome][saidOf(answer)] += 1;
  }
  return counts;
}

function shareOf(counts: Confusion, outcome: Outcome, said: readonly Said[]): number {
  const row = counts[outcome];
  const judged = row.Comfortable + row.Tight + row.Misfit;
  return judged === 0 ? 0 : said.reduce((sum, one) => sum + row[one], 0) / judged;
}

function coverage(judged: readonly Judged[]): Figures {
  const failed = judged.filter(
    ({ logged }) => outcomeOf(logged) === 'FailedToStart' && logged.model != null && logged.gpu != null,
  );
  const pools = judged.filter(({ logged }) => logged.available_kv_gib != null && logged.kv_tokens != null);
  const weighed = judged.filter(({ logged }) => logged.weights_gib_per_rank != null && logged.gpu != null);
  return {
    'verdict for failed starts that name model and accelerator': more(
      share(failed, ({ answer }) => answer.verdict !== null),
      0.9,
    ),
    'tokens for starts that log KV cache and tokens': more(
      share(pools, ({ answer }) => answer.kvTokensFromLoggedKv !== null),
      0.75,
    ),
    'KV GiB for starts that log weights and name the accelerator': more(
      share(weighed, ({ answer }) => answer.kvGib !== null),
      0.5,
    ),
  };
}
