/** Units of a duration of the Gateway API, in seconds. */
const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Seconds of a duration such as `1h30m`, `3600s` or `500ms`, or of a number of seconds; undefined for anything else. */
export function readSeconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^(\d+(h|ms|m|s))+$/.test(value)) return undefined;
  return [...value.matchAll(/(\d+)(h|ms|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0),
    0,
  );
}
