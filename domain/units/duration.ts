/** Milliseconds from one moment to another; negative when the second is earlier. */
export function millisBetween(from: string, to: Date): number {
  return to.getTime() - Date.parse(from);
}

export const minuteMillis = 60_000;

/** A moment as RFC 3339 in whole seconds, the form of Kubernetes timestamps. */
export function formatTimestamp(moment: Date): string {
  return moment.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Tells whether a text is a moment that can be read. */
export function isTimestamp(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}
