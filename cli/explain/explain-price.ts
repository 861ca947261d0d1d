import { type KubernetesObject, readNumber } from '../../domain/kubernetes/object.ts';
import { describePlace, type Market } from '../../domain/placement/candidate.ts';
import { cheapestPrice, priceOrigin } from '../../domain/placement/describe-candidates.ts';
import { roundUsd, sumUsd, type UsdPerHour } from '../../domain/units/usd.ts';
import { chosenCandidate } from './explain-candidates.ts';
import type { DeploymentReading } from './read-deployment.ts';

/** The least and the most that something can cost, by which of the listed node types comes. */
export interface PriceRange {
  readonly cheapest: UsdPerHour;
  readonly dearest: UsdPerHour;
}

export interface ExplainedPrice {
  /** How the nodes are paid: on demand, or as those of a pool that exists. */
  readonly market: string;
  /** Day on which the prices of the class were read. */
  readonly readOn?: string;
  readonly replicas: number;
  /** The shape that is priced: the chosen one, else the cheapest that would fit without a budget. */
  readonly shape?: string;
  /** One replica of that shape; unset while a price is unknown or nothing fits. */
  readonly oneReplica?: PriceRange;
  readonly allReplicas?: PriceRange;
  /** What is asked for now, every rung of every replica at its dearest type. */
  readonly asked: UsdPerHour;
  readonly budget?: UsdPerHour;
  /** Budget less what is asked for now. */
  readonly left?: UsdPerHour;
}

/** The price of a deployment on its chosen shape, and what its budget has left; a refused one shows its price too (L3). */
export function explainPrice(reading: DeploymentReading): ExplainedPrice {
  const { spec, replicas } = reading;
  const candidate = chosenCandidate(reading) ?? reading.unbounded[0];
  const cheapest = candidate === undefined ? undefined : cheapestPrice(candidate);
  const dearest = candidate?.usdPerHour;
  const readOn = candidate === undefined ? undefined : priceOrigin(candidate).priceReadOn;
  const asked = sumUsd(replicas.map(askedPrice));
  const budget = spec.budget?.usdPerHour;
  return {
    market: markets[candidate?.market ?? 'OnDemand'],
    ...(readOn === undefined ? {} : { readOn }),
    replicas: spec.replicas,
    ...(candidate === undefined ? {} : { shape: describePlace(candidate) }),
    ...(cheapest === undefined || dearest === undefined ? {} : rangesOf({ cheapest, dearest }, spec.replicas)),
    asked,
    ...(budget === undefined ? {} : { budget, left: roundUsd(budget - asked) }),
  };
}

const markets: Readonly<Record<Market, string>> = {
  OnDemand: 'on demand',
  Spot: 'spot',
  Reservation: 'reservation',
  Existing: 'existing pool',
};

function askedPrice(replica: KubernetesObject): UsdPerHour {
  return readNumber(replica, ['status', 'usdPerHour']) ?? 0;
}

function rangesOf(oneReplica: PriceRange, replicas: number) {
  const { cheapest, dearest } = oneReplica;
  return {
    oneReplica,
    allReplicas: { cheapest: roundUsd(cheapest * replicas), dearest: roundUsd(dearest * replicas) },
  };
}
