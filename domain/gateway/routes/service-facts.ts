import { label } from '../../kubernetes/label.ts';
import type { ObjectMeta } from '../../kubernetes/object.ts';
import { boundedName, hashedName } from '../../kubernetes/resource-name.ts';
import { replicaLabel } from '../../placement/node-group.ts';
import type { Protocol, ReplicaEndpoint } from '../replica-endpoint.ts';

/** All that the manifests of one ModelService are rendered from. */
export interface ServiceFacts {
  readonly name: string;
  readonly namespace: string;
  /** When the ModelService was made: clients see it as the time of the model, so it must not move. */
  readonly createdAt: string | undefined;
  readonly gateway: { readonly name: string; readonly namespace: string };
  /** Sorted by name. */
  readonly backends: readonly ServiceBackend[];
}

/** One replica as a backend. */
export interface ServiceBackend {
  readonly replica: string;
  readonly deployment: string;
  readonly weight: number;
  readonly endpoint: ReplicaEndpoint;
}

/** Keys of the objects that a ModelService has once. */
export const serviceKey = { route: 'gateway-route', traffic: 'gateway-traffic' } as const;

const backendPrefix = 'gateway-backend-';
const protocolPrefixes: Readonly<Record<Protocol, string>> = {
  OpenAI: 'gateway-openai-',
  Anthropic: 'gateway-anthropic-',
};

/** Key of a replica's Backend. */
export function backendKey(replica: string): string {
  return `${backendPrefix}${replica}`;
}

/** Key of a replica's AIServiceBackend of one protocol. */
export function serviceBackendKey(replica: string, protocol: Protocol): string {
  return `${protocolPrefixes[protocol]}${replica}`;
}

/** The replica whose object a key is; undefined for the objects that a service has once. */
export function replicaOfKey(key: string): string | undefined {
  const prefix = [backendPrefix, ...Object.values(protocolPrefixes)].find((candidate) => key.startsWith(candidate));
  return prefix === undefined ? undefined : key.slice(prefix.length);
}

/** Name of a replica's Backend; two services may route to one replica, so it carries both names. */
export function backendName(service: string, replica: string): string {
  return hashedName(`${service}-${replica}`, { service, replica });
}

/** Name of a replica's AIServiceBackend of one protocol. */
export function serviceBackendName(service: string, replica: string, protocol: Protocol): string {
  return hashedName(`${service}-${replica}-${protocol.toLowerCase()}`, { service, replica, protocol });
}

/** Metadata of an object that a service has once. */
export function serviceMetadata(facts: ServiceFacts): ObjectMeta {
  return { name: facts.name, namespace: facts.namespace, labels: serviceLabels(facts) };
}

/** Metadata of an object of one replica. */
export function backendMetadata(facts: ServiceFacts, backend: ServiceBackend, name: string): ObjectMeta {
  const { namespace } = facts;
  const labels = {
    ...serviceLabels(facts),
    [label.deployment]: boundedName(backend.deployment),
    [label.replica]: replicaLabel({ namespace, name: backend.replica }),
  };
  return { name, namespace, labels };
}

function serviceLabels(facts: ServiceFacts): Record<string, string> {
  return { [label.managedBy]: 'modelberth', [label.service]: boundedName(facts.name) };
}
