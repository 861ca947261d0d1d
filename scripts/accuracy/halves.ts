import type { Judged } from './measure.ts';

/** Starts in two halves: the formula was decided on the first alone, so that the second is a test of it. */
export interface Halves {
  readonly decidedOn: readonly Judged[];
  readonly heldBack: readonly Judged[];
}

/** Cuts the starts in two by their source, so that rows of one rig or one report never stand on both sides. */
export function cutInHalves(judged: readonly Judged[]): Halves {
  const isFirst = ({ logged }: Judged) => hash((logged.source ?? logged.id).split(':')[0] ?? '') % 2 === 0;
  return { decidedOn: judged.filter(isFirst), heldBack: judged.filter((one) => !isFirst(one)) };
}

/** FNV-1a, which depends on the text alone. */
function hash(text: string): number {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return value;
}
