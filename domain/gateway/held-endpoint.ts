import { type KubernetesObject, readList, readNumber, readString } from '../kubernetes/object.ts';
import { Protocol, type ReplicaEndpoint } from './replica-endpoint.ts';
import { backendKey, serviceBackendKey } from './routes/service-facts.ts';

/**
 * The endpoint that a replica's composed objects were rendered for. A replica whose status is lost for a while keeps
 * it, so that no protocol of it goes (S1). Undefined when it has no objects yet.
 */
export function readHeldEndpoint(
  replica: string,
  observed: ReadonlyMap<string, KubernetesObject>,
): ReplicaEndpoint | undefined {
  const [endpoint] = readList(observed.get(backendKey(replica)), ['spec', 'endpoints']);
  const hostname = readString(endpoint, ['fqdn', 'hostname']);
  const port = readNumber(endpoint, ['fqdn', 'port']);
  const protocols = Protocol.options.filter((protocol) => observed.has(serviceBackendKey(replica, protocol)));
  if (hostname === undefined || port === undefined || !protocols.includes('OpenAI')) return undefined;
  return { service: hostname.split('.')[0] ?? hostname, port, protocols };
}
