/** The budget as a claim states it, for all of its replicas together. */
interface Shared {
  readonly budget?: { readonly usdPerHour: number } | undefined;
  readonly replicas: number;
}

/** USD per hour that one replica may spend: an equal share, rounded down so that the sum stays within the budget. */
export function replicaShare({ budget, replicas }: Shared): number | undefined {
  return budget === undefined ? undefined : Math.floor((budget.usdPerHour / Math.max(1, replicas)) * 1e4) / 1e4;
}
