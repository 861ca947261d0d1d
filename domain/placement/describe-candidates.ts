import { roundUsd } from '../units/usd.ts';
import { type Candidate, describePlace } from './candidate.ts';
import type { Candidates } from './list-candidates.ts';

/** Candidates as a status shows them: what may be asked for, then every refusal with its reason. */
export function describeCandidates(
  cluster: string,
  candidates: Candidates,
  most: number,
): readonly Record<string, unknown>[] {
  const allowed = candidates.allowed.map((candidate) => ({
    cluster,
    class: candidate.hardwareClass.name,
    shape: describePlace(candidate),
    verdict: 'Allowed',
    ...(candidate.usdPerHour === undefined ? {} : { usdPerHour: candidate.usdPerHour, ...priceOrigin(candidate) }),
  }));
  const refused = candidates.refusals.map((refusal) => ({
    cluster,
    class: refusal.class,
    ...(refusal.shape === undefined ? {} : { shape: refusal.shape }),
    verdict: refusal.reason,
    message: refusal.message,
  }));
  return [...allowed, ...refused].slice(0, most);
}

/** The price of one replica if it gets the cheapest listed type; undefined when a price is unknown. */
export function cheapestPrice({ nodeTypes, shape }: Candidate): number | undefined {
  const prices = nodeTypes.map((type) => type.usdPerHour).filter((price) => price !== undefined);
  return prices.length < nodeTypes.length || prices.length === 0
    ? undefined
    : roundUsd(shape.nodes * Math.min(...prices));
}

/** When and where the price of a candidate was read; a part that nobody stated is left out. */
export function priceOrigin({ hardwareClass, market }: Candidate): {
  readonly priceReadOn?: string;
  readonly priceSource?: string;
} {
  const { priceReadOn, spotPriceReadOn, priceSource } = hardwareClass;
  const readOn = market === 'Spot' ? spotPriceReadOn : priceReadOn;
  return {
    ...(readOn === undefined ? {} : { priceReadOn: readOn }),
    ...(priceSource === undefined ? {} : { priceSource }),
  };
}
