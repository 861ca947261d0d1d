import { inGib } from '../units/bytes.ts';
import type { Misfit } from './verdict.ts';

/** What is missing besides the memory of accelerators, with the fix; undefined where it is that memory alone. */
export function explainBeside({ hostShortfall, longestContextTokens, shortfall }: Misfit): string | undefined {
  if (longestContextTokens !== undefined)
    return `The model admits ${longestContextTokens} tokens of context at most; lower spec.load.contextTokens`;
  if (shortfall > 0 || hostShortfall === undefined) return undefined;
  return `Each node is short by ${inGib(hostShortfall)} GiB of memory for the pod; list node types with more memory`;
}
