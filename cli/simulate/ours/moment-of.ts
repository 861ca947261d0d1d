const startOfTime = Date.parse('2026-12-01T00:00:00Z');

/** The time of a minute of a world. */
export function momentOf(minute: number): Date {
  return new Date(startOfTime + minute * 60_000);
}
