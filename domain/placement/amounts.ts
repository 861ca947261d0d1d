import { acceleratorCount, parseShape } from '../shape/shape.ts';
import { sumUsd, type UsdPerHour } from '../units/usd.ts';
import type { RungView } from './rung.ts';

/** What a namespace can have a cap on. */
export interface Amounts {
  readonly usdPerHour: UsdPerHour;
  readonly accelerators: number;
}

export type AmountName = keyof Amounts;
export const amountNames = ['usdPerHour', 'accelerators'] as const satisfies readonly AmountName[];

/** A limit on some of them; one that is left out is not limited. */
export type Caps = { readonly [name in AmountName]?: number | undefined };

/** More accelerators than any cap: a number that is not known. */
export const anyNumber = 1e9;

export const nothing: Amounts = { usdPerHour: 0, accelerators: 0 };

/** What rungs take together if each gets all that it asks for. */
export function amountsOf(rungs: readonly RungView[]): Amounts {
  return {
    usdPerHour: sumUsd(rungs.map((rung) => rung.usdPerHour)),
    accelerators: rungs.reduce((sum, rung) => sum + acceleratorsOf(rung), 0),
  };
}

/** Accelerators of a whole rung, by the shape in its name; one for each node where that cannot be read. */
function acceleratorsOf({ name, nodes }: RungView): number {
  const shape = parseShape(name.split('/')[1] ?? '');
  return shape === undefined ? nodes : acceleratorCount(shape);
}

/** The larger of each. */
export function largest(left: Amounts, right: Amounts): Amounts {
  return {
    usdPerHour: Math.max(left.usdPerHour, right.usdPerHour),
    accelerators: Math.max(left.accelerators, right.accelerators),
  };
}

/** Tells whether amounts stay within every cap. */
export function areWithin({ usdPerHour, accelerators }: Amounts, caps: Caps): boolean {
  return usdPerHour <= (caps.usdPerHour ?? Infinity) && accelerators <= (caps.accelerators ?? Infinity);
}

/** Both together. */
export function add(left: Amounts, right: Amounts): Amounts {
  return {
    usdPerHour: sumUsd([left.usdPerHour, right.usdPerHour]),
    accelerators: left.accelerators + right.accelerators,
  };
}

/** What is left of the first without the second. */
export function subtract(from: Amounts, amounts: Amounts): Amounts {
  return add(from, { usdPerHour: -amounts.usdPerHour, accelerators: -amounts.accelerators });
}
