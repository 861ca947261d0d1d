import { type KubernetesObject, readPath } from '../kubernetes/object.ts';

/** The host names of external endpoints that a cluster's guardrails allow; undefined where they cannot be read. */
export function readGuardrail(cluster: KubernetesObject): readonly string[] | undefined {
  const listed = readPath(cluster, ['spec', 'guardrails', 'externalEndpoints']);
  return listed === undefined ? [] : asNames(listed);
}

/** The same list as a gateway passes it on in its status; undefined while it does not. */
export function readPassedHosts(inferenceGateway: KubernetesObject): readonly string[] | undefined {
  return asNames(readPath(inferenceGateway, ['status', 'externalEndpoints']));
}

/** Whether a list allows a host name: by itself, or by an entry that begins with a dot and that it ends with. */
export function allowsHost(allowed: readonly string[], hostname: string): boolean {
  return allowed.some((entry) => entry === hostname || (entry.startsWith('.') && hostname.endsWith(entry)));
}

function asNames(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return isList ? [...value].sort() : undefined;
}
