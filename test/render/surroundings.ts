/** The time and the chance of every golden case: what a render depends on besides its files (S4). */
export const surroundings = {
  now: () => new Date('2026-12-01T12:00:00Z'),
  randomKey: () => 'a-random-key-is-made-when-this-is-applied',
} as const;
