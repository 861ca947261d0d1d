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

/** Limits on everything together, and on what is of one class. */
export interface Limits extends Caps {
  readonly byClass?: Readonly<Record<string, Caps>> | undefined;
}

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

/** The class of a rung, by its name. */
export function classOf({ name }: RungView): string {
  return name.split('/')[0] ?? '';
}

/** The rungs of a class. */
export function ofClass(rungs: readonly RungView[], name: string): readonly RungView[] {
  return rungs.filter((rung) => classOf(rung) === name);
}

/** Tells whether rungs stay within every limit if each gets all that it asks for. */
export function stayWithin(rungs: readonly RungView[], limits: Limits): boolean {
  const ofClasses = Object.entries(limits.byClass ?? {});
  return (
    areWithin(amountsOf(rungs), limits) &&
    ofClasses.every(([name, caps]) => areWithin(amountsOf(ofClass(rungs, name)), caps))
  );
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
