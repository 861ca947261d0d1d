import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ExternalSeen } from './admit-external.ts';
import { readWeights } from './observed-weights.ts';
import { Protocol } from './replica-endpoint.ts';
import {
  backendName,
  externalBackendName,
  externalKeys,
  externalOfKey,
  externalServiceName,
  replicaOfKey,
  serviceBackendName,
  serviceKey,
} from './routes/service-facts.ts';

export interface BackendsSeen {
  readonly service: string;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  /** Names of every ModelReplica that exists, from requirements that all resolved. */
  readonly replicas: readonly string[];
  /** Every external endpoint of the claim. */
  readonly externals: readonly ExternalSeen[];
  readonly httpRoute: KubernetesObject | undefined;
}

/**
 * Keys of backends that may go, with the reason: their ModelReplica is gone, or the claim names their external endpoint
 * no more, and no observed route refers to any object of it. Crossplane deletes before it applies, so a backend goes one
 * pass after the route has let go of it.
 */
export function dropBackends(seen: BackendsSeen): ReadonlyMap<string, string> {
  const { observed, httpRoute } = seen;
  const referenced = new Set([...readWeights(observed.get(serviceKey.route)).keys(), ...readWeights(httpRoute).keys()]);
  const dropped = new Map<string, string>();
  for (const key of observed.keys()) {
    const why = dropReplica(key, seen, referenced) ?? dropExternal(key, seen, referenced);
    if (why !== undefined) dropped.set(key, why);
  }
  return dropped;
}

function dropReplica(key: string, { service, replicas }: BackendsSeen, referenced: ReadonlySet<string>) {
  const replica = replicaOfKey(key);
  if (replica === undefined || replicas.includes(replica)) return undefined;
  if (objectNames(service, replica).some((name) => referenced.has(name))) return undefined;
  return `ModelReplica "${replica}" is gone and no route refers to it`;
}

/** An endpoint that keeps its place and loses its Secret gives up the policy alone, though the route refers to it. */
function dropExternal(key: string, { service, externals }: BackendsSeen, referenced: ReadonlySet<string>) {
  const name = externalOfKey(key);
  if (name === undefined) return undefined;
  const wanted = externals.find((external) => external.name === name);
  if (wanted !== undefined) {
    const isNeeded = wanted.endpoint === undefined || externalKeys(wanted.endpoint).includes(key);
    return isNeeded ? undefined : `external endpoint "${name}" has no apiKeySecretRef`;
  }
  const names = [externalBackendName(service, name), externalServiceName(service, name)];
  if (names.some((object) => referenced.has(object))) return undefined;
  return `spec.routes has no external endpoint "${name}" and no route refers to it`;
}

/** Names of every object that a replica may have. */
function objectNames(service: string, replica: string): readonly string[] {
  const perProtocol = Protocol.options.map((protocol) => serviceBackendName(service, replica, protocol));
  return [backendName(service, replica), ...perProtocol];
}
