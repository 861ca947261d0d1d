/**
 * Shares of a whole as columns of a text bar: one column for every share above zero, so that each is seen, and the rest
 * by largest remainder over what is above one column. So the columns sum to the length, and a larger share never has
 * fewer than a smaller one. Refused: rounding each share by itself, which makes bars that are too long or too short.
 */

/** Columns of each amount; they sum to the length where it has a column for each amount above zero. */
export function splitBar(amounts: readonly number[], length: number): readonly number[] {
  const total = sum(amounts);
  if (total <= 0) return amounts.map(() => 0);
  const seen: number[] = amounts.map((amount) => (amount > 0 ? 1 : 0));
  const above = amounts.map((amount) => Math.max(0, (amount / total) * length - 1));
  const extra = apportion(above, Math.max(0, length - sum(seen)), amounts);
  return seen.map((column, index) => column + (extra[index] ?? 0));
}

/**
 * Whole columns in proportion to the weights: rounded down, then one more for the largest remainders. Weights that round
 * to the same share are told apart by the amounts that they come from.
 */
function apportion(weights: readonly number[], columns: number, amounts: readonly number[]): readonly number[] {
  const total = sum(weights);
  if (total <= 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (weight / total) * columns);
  const whole = exact.map(Math.floor);
  const left = columns - sum(whole);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((one, other) => other.remainder - one.remainder || (amounts[other.index] ?? 0) - (amounts[one.index] ?? 0));
  for (const { index } of byRemainder.slice(0, left)) whole[index] = (whole[index] ?? 0) + 1;
  return whole;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
