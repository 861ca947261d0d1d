import type { KubernetesObject } from '../kubernetes/object.ts';
import { readWeights } from './observed-weights.ts';
import { Protocol } from './replica-endpoint.ts';
import { backendName, replicaOfKey, serviceBackendName, serviceKey } from './routes/service-facts.ts';

export interface BackendsSeen {
  readonly service: string;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  /** Names of every ModelReplica that exists, from requirements that all resolved. */
  readonly replicas: readonly string[];
  readonly httpRoute: KubernetesObject | undefined;
}

/**
 * Keys of backends that may go, with the reason: their ModelReplica is gone and no observed route refers to any object
 * of it. Crossplane deletes before it applies, so a backend goes one pass after the route has let go of it.
 */
export function dropBackends({ service, observed, replicas, httpRoute }: BackendsSeen): ReadonlyMap<string, string> {
  const referenced = new Set([...readWeights(observed.get(serviceKey.route)).keys(), ...readWeights(httpRoute).keys()]);
  const dropped = new Map<string, string>();
  for (const key of observed.keys()) {
    const replica = replicaOfKey(key);
    if (replica === undefined || replicas.includes(replica)) continue;
    if (objectNames(service, replica).some((name) => referenced.has(name))) continue;
    dropped.set(key, `ModelReplica "${replica}" is gone and no route refers to it`);
  }
  return dropped;
}

/** Names of every object that a replica may have. */
function objectNames(service: string, replica: string): readonly string[] {
  const perProtocol = Protocol.options.map((protocol) => serviceBackendName(service, replica, protocol));
  return [backendName(service, replica), ...perProtocol];
}
