/** The value below which so many percent of the samples lie, by the nearest rank; NaN of none. */
export function percentile(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The middle of the samples; of two middles their mean; NaN of none. */
export function median(samples: readonly number[]): number {
  return (
    (percentile(samples, 50) +
      percentile(
        samples.map((sample) => -sample),
        50,
      ) *
        -1) /
    2
  );
}
