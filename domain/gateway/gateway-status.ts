import { z } from 'zod';
import { type FeatureName, hasFeature } from '../kubernetes/feature.ts';
import { isRecord, type KubernetesObject, readList, readNumber, readString } from '../kubernetes/object.ts';
import { isExposed } from './choose-service-type.ts';

/** One listener of a gateway, as observed. */
export const ListenerStatus = z
  .object({
    name: z.string().describe('Name of the listener.'),
    port: z.int32().describe('Port that callers connect to.'),
    hostname: z.string().optional().describe('Host name that the listener serves. None: every host name.'),
    state: z
      .enum(['Programmed', 'NotProgrammed', 'Unknown'])
      .describe('Whether Envoy serves the listener, from the Gateway.'),
  })
  .describe('One listener.');
export type ListenerStatus = z.output<typeof ListenerStatus>;

/** The listeners of an observed Gateway, in its order; empty when there is none. */
export function listListeners(gateway: KubernetesObject | undefined): readonly ListenerStatus[] {
  const statuses = readList(gateway, ['status', 'listeners']).filter(isRecord);
  return readList(gateway, ['spec', 'listeners'])
    .filter(isRecord)
    .map((listener) => {
      const name = readString(listener, ['name']) ?? '';
      const hostname = readString(listener, ['hostname']);
      const status = statuses.find((candidate) => candidate.name === name);
      const port = readNumber(listener, ['port']) ?? 0;
      return { name, port, ...(hostname === undefined ? {} : { hostname }), state: listenerState(status, gateway) };
    });
}

function listenerState(status: unknown, gateway: KubernetesObject | undefined): ListenerStatus['state'] {
  const conditions = readList(status, ['conditions']).filter(isRecord);
  const programmed = conditions.find((condition) => condition.type === 'Programmed');
  const seen = readNumber(programmed, ['observedGeneration']) ?? Number.POSITIVE_INFINITY;
  if (programmed === undefined || seen < (gateway?.metadata.generation ?? 0)) return 'Unknown';
  if (programmed.status === 'True') return 'Programmed';
  return programmed.status === 'False' ? 'NotProgrammed' : 'Unknown';
}

/**
 * The address that callers' DNS records point at: the host name of the load balancer. Undefined while the Service is
 * ClusterIP, whose address is no use to callers, and until the load balancer has its name.
 */
export function readAddress(
  gateway: KubernetesObject | undefined,
  envoyProxy: KubernetesObject | undefined,
): string | undefined {
  if (!isExposed(envoyProxy)) return undefined;
  const addresses = readList(gateway, ['status', 'addresses']).filter(isRecord);
  return readString(
    addresses.find((address) => address.type === 'Hostname'),
    ['value'],
  );
}

/** The features that a ModelService needs to know, copied from those of its gateway's cluster. */
export const passedFeatures = ['AIGateway', 'EnvoyGateway', 'GatewayAPI'] as const satisfies readonly FeatureName[];

/** What the cluster says about the passed features; those that it does not know are left out. */
export function passFeatures(cluster: KubernetesObject): Readonly<Record<string, boolean>> {
  const known = passedFeatures.map((name) => [name, hasFeature(cluster, name)] as const);
  return Object.fromEntries(known.filter(([, has]) => has !== undefined)) as Record<string, boolean>;
}
