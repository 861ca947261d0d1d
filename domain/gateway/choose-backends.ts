/**
 * Decides the weight of every replica of a ModelService. A replica has weight only if its deployment lets it serve and
 * its engine is ready; a missing answer takes nobody out who has a ready endpoint (S1). Never depends on Routable or
 * Ready, which depend on the weight.
 */
import type { ModelServiceSpec } from './model-service-spec.ts';
import type { Replica, ReplicaEndpoint } from './replica-endpoint.ts';
import { spreadWeights } from './spread-weights.ts';

/** Most backends that a rule may hold (Envoy AI Gateway 1.0.0, read 2026-12-01). */
export const maxBackends = 128;

export interface ReplicaSeen {
  readonly replica: Replica;
  readonly endpoint: ReplicaEndpoint;
  /** Whether its Service has a ready endpoint; undefined while not fetched. */
  readonly hasEndpoint: boolean | undefined;
  /** Whether the route gives it weight as observed. */
  readonly hadWeight: boolean;
}

export interface WeightedReplica extends ReplicaSeen {
  readonly weight: number;
}

export interface BackendChoice {
  /** Sorted by name; at least one has weight unless there is none. */
  readonly chosen: readonly WeightedReplica[];
  /** Names of replicas for which the rule has no room. */
  readonly leftOut: readonly string[];
}

/** Chooses the backends of the route and their weights. */
export function chooseBackends(routes: ModelServiceSpec['routes'], seen: readonly ReplicaSeen[]): BackendChoice {
  const serving = seen.filter(mayServe).map(({ replica }) => replica);
  const weights = spreadWeights(
    routes.map(({ deploymentName, weight }) => ({
      weight,
      replicas: serving.filter(({ deployment }) => deployment === deploymentName).map(({ name }) => name),
    })),
  );
  const weighted = seen.map((one) => ({ ...one, weight: weights.get(one.replica.name) ?? 0 })).sort(byName);
  const byWeight = [...weighted].sort((left, right) => Number(right.weight > 0) - Number(left.weight > 0));
  const kept = new Set(byWeight.slice(0, maxBackends));
  return {
    chosen: keepLast(weighted.filter((one) => kept.has(one))),
    leftOut: weighted.filter((one) => !kept.has(one)).map(({ replica }) => replica.name),
  };
}

/** Whether a replica with weight has a ready endpoint; undefined while that is not known of any. */
export function hasReadyEndpoint(chosen: readonly WeightedReplica[]): boolean | undefined {
  const carrying = chosen.filter(({ weight }) => weight > 0);
  if (carrying.some(({ hasEndpoint }) => hasEndpoint === true)) return true;
  return carrying.some(({ hasEndpoint }) => hasEndpoint === undefined) ? undefined : false;
}

function mayServe({ replica, hasEndpoint, hadWeight }: ReplicaSeen): boolean {
  if (replica.traffic === 'Drain' || replica.engineReady === 'False') return false;
  return replica.engineReady === 'True' || (hadWeight && hasEndpoint !== false);
}

/**
 * Where nobody has weight the last one keeps 1: Envoy answers 500 when all weights are 0, and 503 when a Service is
 * empty. One that may serve comes before one that drains.
 */
function keepLast(weighted: readonly WeightedReplica[]): readonly WeightedReplica[] {
  if (weighted.some(({ weight }) => weight > 0)) return weighted;
  const last = weighted.findLast(({ replica }) => replica.traffic === 'Serve') ?? weighted.at(-1);
  return weighted.map((one) => (one === last ? { ...one, weight: 1 } : one));
}

function byName(left: ReplicaSeen, right: ReplicaSeen): number {
  return left.replica.name < right.replica.name ? -1 : 1;
}
