import type { MarketName } from '../hardware/reservation.ts';
import { parseShape } from '../shape/shape.ts';
import { readRungName } from './candidate.ts';

/** What an author says of where a replica may run. */
export interface AuthorRules {
  readonly classes: readonly string[];
  /** How nodes may be bought; unset: on demand. */
  readonly markets?: readonly MarketName[] | undefined;
  /** Where the nodes of a gang may lie; unset: in any zones. */
  readonly zones?: 'Any' | 'Same' | undefined;
}

/** Tells whether the author's own rules forbid a rung: its class, how it is bought, or that it may span zones. */
export function isBarred(rung: string, { classes, markets = ['OnDemand'], zones }: AuthorRules): boolean {
  const { className, market, within } = readRungName(rung);
  if (!classes.includes(className)) return true;
  if (market === undefined || market === 'Existing') return false;
  const isGang = (parseShape(rung.split('/')[1] ?? '')?.nodes ?? 1) > 1;
  return !markets.includes(market) || (zones === 'Same' && isGang && within === undefined);
}
