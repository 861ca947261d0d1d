import { formatUsd } from '../../domain/units/usd.ts';
import type { ExplainedLoad, RankedCandidate } from './explain-load.ts';
import { item, section } from './layout.ts';

/** The candidates by what they cost for the load, cheapest first; nothing where none fits. */
export function printLoad({ requests, over, rule, ranked }: ExplainedLoad, width: number): readonly string[] {
  if (ranked.length === 0) return [];
  const rows = ranked.flatMap((candidate) => item(sayRanked(candidate), width));
  const where = over === 'AllReplicas' ? 'over all replicas' : 'in each replica';
  const asked = item(`${requests} requests at once ${where}: ${rule}`, width);
  return section('The load, cheapest first', [...asked, ...rows]);
}

function sayRanked({ class: name, shape, cluster, ...cost }: RankedCandidate): string {
  const { replicas, usdPerHour, estimatedTokensPerSecond: speed } = cost;
  const count = `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
  const price = usdPerHour === undefined ? 'price unknown' : formatUsd(usdPerHour);
  const rate = speed === undefined ? 'speed unknown' : `about ${speed} tokens/s (estimate)`;
  return `${name} (${shape}) on ${cluster}: ${count}, ${price}, ${rate}`;
}
