import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ReplicaSeen } from './choose-backends.ts';
import { readHeldEndpoint } from './held-endpoint.ts';
import { readWeights } from './observed-weights.ts';
import { listReadyServices } from './ready-endpoints.ts';
import { defaultEndpoint, type Replica } from './replica-endpoint.ts';
import { serviceBackendName, serviceKey } from './routes/service-facts.ts';

export interface ReplicaScene {
  readonly service: string;
  /** The InferenceCluster of the gateway. */
  readonly cluster: string;
  readonly replicas: readonly Replica[];
  /** The EndpointSlices of the replicas; undefined while not all have been fetched. */
  readonly slices: readonly KubernetesObject[] | undefined;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
}

/** Joins each replica with where it is reached, whether anything answers there, and whether it has traffic now. */
export function seeReplicas({ service, cluster, replicas, slices, observed }: ReplicaScene): readonly ReplicaSeen[] {
  const ready = slices === undefined ? undefined : listReadyServices(slices);
  const weights = readWeights(observed.get(serviceKey.route));
  return replicas.map((replica) => {
    const endpoint = replica.endpoint ?? readHeldEndpoint(replica.name, observed) ?? defaultEndpoint(replica.name);
    return {
      replica,
      endpoint,
      hasEndpoint: ready?.has(endpoint.service),
      isElsewhere: replica.clusterName !== undefined && replica.clusterName !== cluster,
      hadWeight: (weights.get(serviceBackendName(service, replica.name, 'OpenAI')) ?? 0) > 0,
    };
  });
}
