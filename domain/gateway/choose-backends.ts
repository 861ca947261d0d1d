/**
 * Decides the weight of every replica and every external endpoint of a ModelService. A replica has weight only if its
 * deployment lets it serve and its engine is ready; a missing answer takes nobody out who has a ready endpoint (S1). An
 * external endpoint has weight once its objects exist. Never depends on Routable or Ready, which depend on the weight.
 */
import type { ExternalSeen } from './admit-external.ts';
import type { DeploymentRoute } from './model-service-spec.ts';
import type { Replica, ReplicaEndpoint } from './replica-endpoint.ts';
import { spreadWeights } from './spread-weights.ts';

/** Most backends that a rule may hold (Envoy AI Gateway 1.0.0, read 2026-12-01). */
export const maxBackends = 128;

export interface ReplicaSeen {
  readonly replica: Replica;
  readonly endpoint: ReplicaEndpoint;
  /** Whether its Service has a ready endpoint; undefined while not fetched. */
  readonly hasEndpoint: boolean | undefined;
  /** Whether it runs on another cluster than the gateway, where its Service has no name. */
  readonly isElsewhere: boolean;
  /** Whether the route gives it weight as observed. */
  readonly hadWeight: boolean;
}

export interface WeightedReplica extends ReplicaSeen {
  readonly weight: number;
  readonly priority: number;
}

export interface BackendScene {
  readonly routes: readonly DeploymentRoute[];
  readonly seen: readonly ReplicaSeen[];
  readonly externals: readonly ExternalSeen[];
}

export interface BackendChoice {
  /** Sorted by name; at least one has weight unless there is none, or an external endpoint has some. */
  readonly chosen: readonly WeightedReplica[];
  /** The external endpoints with their weight among the backends of their priority. */
  readonly externals: readonly ExternalSeen[];
  /** Names of replicas for which the rule has no room. */
  readonly leftOut: readonly string[];
}

/** Chooses the backends of the route and their weights. */
export function chooseBackends(scene: BackendScene): BackendChoice {
  const { routes, seen, externals } = scene;
  const { replicaWeights, externalWeights } = spreadByPriority(scene);
  const priorities = new Map(routes.map(({ deploymentName, priority }) => [deploymentName, priority]));
  const weighted = seen
    .map((one) => ({
      ...one,
      weight: replicaWeights.get(one.replica.name) ?? 0,
      priority: priorities.get(one.replica.deployment) ?? 0,
    }))
    .sort(byName);
  const byWeight = [...weighted].sort((left, right) => Number(right.weight > 0) - Number(left.weight > 0));
  const kept = new Set(byWeight.slice(0, maxBackends - externals.filter(({ isPlaced }) => isPlaced).length));
  const carried = externals.map((external) => ({ ...external, weight: externalWeights.get(external.name) ?? 0 }));
  const inRule = weighted.filter((one) => kept.has(one));
  return {
    chosen: carried.some(answersEveryClient) ? inRule : keepLast(inRule),
    externals: carried,
    leftOut: weighted.filter((one) => !kept.has(one)).map(({ replica }) => replica.name),
  };
}

/** Weights are shares of one priority only, so a fallback keeps its weight whatever the number of replicas is. */
function spreadByPriority({ routes, seen, externals }: BackendScene) {
  const serving = seen.filter(mayServe).map(({ replica }) => replica);
  const replicaWeights = new Map<string, number>();
  const externalWeights = new Map<string, number>();
  for (const priority of new Set([...routes, ...externals].map((route) => route.priority))) {
    const own = routes.filter((route) => route.priority === priority);
    const placed = externals.filter((external) => external.priority === priority && external.isPlaced);
    const weights = spreadWeights([
      ...own.map(({ deploymentName, weight }) => ({
        weight,
        replicas: serving.filter(({ deployment }) => deployment === deploymentName).map(({ name }) => name),
      })),
      ...placed.map(({ name, weight }) => ({ weight, replicas: [asShare(name)] })),
    ]);
    for (const { name } of serving) setIfKnown(replicaWeights, name, weights.get(name));
    for (const { name } of placed) setIfKnown(externalWeights, name, weights.get(asShare(name)));
  }
  return { replicaWeights, externalWeights };
}

/** A name of an external endpoint that no replica can have. */
function asShare(external: string): string {
  return `external/${external}`;
}

function setIfKnown(weights: Map<string, number>, name: string, weight: number | undefined): void {
  if (weight !== undefined) weights.set(name, weight);
}

/** Whether an endpoint keeps both rules of the route from having no weight at all. */
function answersEveryClient({ endpoint, isPlaced, weight }: ExternalSeen): boolean {
  return isPlaced && weight > 0 && endpoint?.schema === 'OpenAI';
}

function mayServe({ replica, hasEndpoint, hadWeight, isElsewhere }: ReplicaSeen): boolean {
  if (isElsewhere || replica.traffic === 'Drain' || replica.engineReady === 'False') return false;
  const isServing = hadWeight && hasEndpoint !== false;
  return (replica.engineReady === 'True' && !replica.isHeldBack) || isServing;
}

/**
 * Where nobody has weight the last one keeps 1: Envoy answers 500 when all weights are 0, and 503 when a Service is
 * empty. One that may serve comes before one that drains.
 */
function keepLast(weighted: readonly WeightedReplica[]): readonly WeightedReplica[] {
  if (weighted.some(({ weight }) => weight > 0)) return weighted;
  const last =
    weighted.findLast(({ replica, isElsewhere }) => replica.traffic === 'Serve' && !isElsewhere) ?? weighted.at(-1);
  return weighted.map((one) => (one === last ? { ...one, weight: 1 } : one));
}

function byName(left: ReplicaSeen, right: ReplicaSeen): number {
  return left.replica.name < right.replica.name ? -1 : 1;
}
