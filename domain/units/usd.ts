/** Dollars per hour, rounded to hundredths of a cent so that sums are stable. */
export type UsdPerHour = number;

/** Adds prices without the dust of binary fractions. */
export function sumUsd(prices: readonly UsdPerHour[]): UsdPerHour {
  return roundUsd(prices.reduce((sum, price) => sum + price, 0));
}

export function roundUsd(price: UsdPerHour): UsdPerHour {
  return Math.round(price * 1e4) / 1e4;
}

/** A price for people: `USD 0.80/h`. */
export function formatUsd(price: UsdPerHour): string {
  return `USD ${price.toFixed(2)}/h`;
}
