/** Close enough to stop searching. */
const nearEnough = 0.02;
/** Where the search gives up: what has not reached the size by then never will. */
const mostGrowth = 1_000_000;

interface Point {
  readonly growth: number;
  readonly size: number;
}

/**
 * The growth, 0 or more, at which something has the wanted size as nearly as it can. The size must not shrink as it
 * grows. Guesses along a straight line, because each look at a large size is dear; a size that does not grow gives 0.
 */
export async function findGrowth(wanted: number, sizeAt: (growth: number) => Promise<number>): Promise<number> {
  const look = async (growth: number): Promise<Point> => ({ growth, size: await sizeAt(growth) });
  let low = await look(0);
  let high = await look(8);
  if (low.size >= wanted || high.size === low.size) return 0;
  while (high.size < wanted && high.growth < mostGrowth) {
    const further = Math.max(high.growth * 2, guess(low, high, wanted));
    low = high;
    high = await look(Math.min(further, mostGrowth));
  }
  const isNear = () => Math.min(distance(low, wanted), distance(high, wanted)) <= nearEnough;
  while (high.growth - low.growth > 1 && !isNear()) {
    const middle = await look(Math.min(Math.max(guess(low, high, wanted), low.growth + 1), high.growth - 1));
    if (middle.size < wanted) low = middle;
    else high = middle;
  }
  return distance(low, wanted) < distance(high, wanted) ? low.growth : high.growth;
}

/** Where the line through two points has the wanted size; the middle where it is flat. */
function guess(low: Point, high: Point, wanted: number): number {
  const share = high.size === low.size ? 0.5 : (wanted - low.size) / (high.size - low.size);
  return Math.round(low.growth + share * (high.growth - low.growth));
}

function distance({ size }: Point, wanted: number): number {
  return Math.abs(size - wanted) / wanted;
}
