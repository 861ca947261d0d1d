const longestList = 5;

/** Names for a message: quoted, sorted, and cut at five. */
export function listNames(names: readonly string[]): string {
  const sorted = [...names].sort().map((name) => `"${name}"`);
  const more = sorted.length - longestList;
  return more > 0 ? `${sorted.slice(0, longestList).join(', ')} and ${more} more` : sorted.join(', ');
}
