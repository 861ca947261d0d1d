/** Puts things into another order each time, and into the same ones in each run. */
export function shuffleBy(seed: number): <T>(items: readonly T[]) => readonly T[] {
  let state = seed;
  return (items) => {
    const keyed = items.map((item) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return [state, item] as const;
    });
    return keyed.sort(([left], [right]) => left - right).map(([, item]) => item);
  };
}
