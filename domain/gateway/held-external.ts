import { type KubernetesObject, readList, readNumber, readPath, readString } from '../kubernetes/object.ts';
import { ExternalEndpoint } from './external-endpoint.ts';
import { externalKey, serviceKey } from './routes/service-facts.ts';

/** The external endpoint that the observed objects of a name were rendered from; undefined when there are none. */
export function readHeldExternal(
  name: string,
  observed: ReadonlyMap<string, KubernetesObject>,
): ExternalEndpoint | undefined {
  const backend = observed.get(externalKey.backend(name));
  const service = observed.get(externalKey.service(name));
  const secret = readSecret(observed.get(externalKey.apiKey(name)));
  const [endpoint] = readList(backend, ['spec', 'endpoints']);
  const read = ExternalEndpoint.safeParse({
    name,
    hostname: readString(endpoint, ['fqdn', 'hostname']),
    port: readNumber(endpoint, ['fqdn', 'port']),
    schema: readString(service, ['spec', 'schema', 'name']),
    pathPrefix: readString(service, ['spec', 'schema', 'prefix']),
    modelName: readModelName(observed.get(serviceKey.route), service?.metadata.name),
    ...(secret === undefined ? {} : { apiKeySecretRef: { name: secret } }),
  });
  return read.success ? read.data : undefined;
}

/** The name of the model that the route gives the endpoint. */
function readModelName(route: KubernetesObject | undefined, service: string | undefined): string | undefined {
  const refs = readList(route, ['spec', 'rules']).flatMap((rule) => readList(rule, ['backendRefs']));
  const own = refs.find((ref) => readPath(ref, ['name']) === service);
  return readString(own, ['modelNameOverride']);
}

/** The name of the Secret in a BackendSecurityPolicy, whichever header it fills. */
function readSecret(policy: KubernetesObject | undefined): string | undefined {
  return (
    readString(policy, ['spec', 'apiKey', 'secretRef', 'name']) ??
    readString(policy, ['spec', 'anthropicAPIKey', 'secretRef', 'name'])
  );
}
