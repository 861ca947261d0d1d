import { label } from '../../kubernetes/label.ts';
import type { ObjectMeta } from '../../kubernetes/object.ts';
import { boundedName, hashedName } from '../../kubernetes/resource-name.ts';
import { replicaLabel } from '../../placement/node-group.ts';
import type { ExternalEndpoint } from '../external-endpoint.ts';
import type { Protocol, ReplicaEndpoint } from '../replica-endpoint.ts';

/** All that the manifests of one ModelService are rendered from. */
export interface ServiceFacts {
  readonly name: string;
  readonly namespace: string;
  /** When the ModelService was made: clients see it as the time of the model, so it must not move. */
  readonly createdAt: string | undefined;
  readonly gateway: { readonly name: string; readonly namespace: string };
  /** The header that tells who called; it stays on our side of an external endpoint. */
  readonly callerHeader: string;
  /** Sorted by name. */
  readonly backends: readonly ServiceBackend[];
  /** Sorted by name. */
  readonly externals: readonly ExternalBackend[];
}

/** One replica as a backend. */
export interface ServiceBackend {
  readonly replica: string;
  readonly deployment: string;
  readonly weight: number;
  /** Order of fallback, 0 first. */
  readonly priority: number;
  readonly endpoint: ReplicaEndpoint;
}

/** One external endpoint as a backend. */
export interface ExternalBackend {
  readonly endpoint: ExternalEndpoint;
  readonly weight: number;
  readonly priority: number;
  /** Whether the route may name it: every object of it exists. */
  readonly isPlaced: boolean;
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

/** Keys of the objects of an external endpoint, by its name. */
export const externalKey = {
  backend: (name: string) => `gateway-external-backend-${name}`,
  service: (name: string) => `gateway-external-service-${name}`,
  apiKey: (name: string) => `gateway-external-key-${name}`,
} as const;

/** Keys of every object that an external endpoint needs. */
export function externalKeys({ name, apiKeySecretRef }: ExternalEndpoint): readonly string[] {
  const always = [externalKey.backend(name), externalKey.service(name)];
  return apiKeySecretRef === undefined ? always : [...always, externalKey.apiKey(name)];
}

/** The external endpoint whose object a key is; undefined for every other object. */
export function externalOfKey(key: string): string | undefined {
  const prefix = Object.values(externalKey)
    .map((keyOf) => keyOf(''))
    .find((candidate) => key.startsWith(candidate));
  return prefix === undefined ? undefined : key.slice(prefix.length);
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

/** Name of an external endpoint's Backend. */
export function externalBackendName(service: string, external: string): string {
  return hashedName(`${service}-${external}`, { service, external });
}

/** Name of an external endpoint's AIServiceBackend, and of the policy that gives it its key. */
export function externalServiceName(service: string, external: string): string {
  return hashedName(`${service}-${external}-external`, { service, external, part: 'service' });
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

/** Metadata of an object of one external endpoint. */
export function externalMetadata(facts: ServiceFacts, name: string): ObjectMeta {
  return { name, namespace: facts.namespace, labels: serviceLabels(facts) };
}

function serviceLabels(facts: ServiceFacts): Record<string, string> {
  return { [label.managedBy]: 'modelberth', [label.service]: boundedName(facts.name) };
}
