import { z } from 'zod';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { checkCondition } from '../readiness/check-condition.ts';
import { judgeReadiness, type Readiness } from '../readiness/judge-readiness.ts';
import type { ExternalSeen } from './admit-external.ts';
import type { BackendChoice, WeightedReplica } from './choose-backends.ts';
import { readWeights } from './observed-weights.ts';
import { Protocol } from './replica-endpoint.ts';
import { backendName, externalBackendName, externalServiceName, serviceBackendName } from './routes/service-facts.ts';

/** One replica or external endpoint of a ModelService, as its gateway sees it. */
export const EndpointStatus = z
  .object({
    replica: z.string().optional().describe('Name of the ModelReplica; left out for an external endpoint.'),
    external: z.string().optional().describe('Name of the external endpoint; left out for a replica.'),
    hostname: z.string().optional().describe('Host name of the external endpoint that requests go to.'),
    schema: Protocol.optional().describe('What the external endpoint speaks.'),
    weight: z
      .int32()
      .optional()
      .describe(
        'Weight among those of its priority, the larger of what the route says and what the gateway has accepted, so that 0 means that no new request goes there. The only replica keeps 1, even while it drains, unless an external endpoint takes its requests. Left out while the gateway has not accepted the route.',
      ),
    priority: z
      .int32()
      .optional()
      .describe('Order of fallback, as spec.routes has it; left out where it is 0, which comes first.'),
    routable: z
      .boolean()
      .optional()
      .describe(
        'Whether a request would reach it: it has weight, a ready endpoint and a programmed gateway. Left out for an external endpoint, which nobody observes.',
      ),
    generation: z
      .int32()
      .optional()
      .describe(
        'Generation of the ModelReplica that the weight was decided from; an older one says nothing about its present traffic.',
      ),
  })
  .describe('One replica or external endpoint.');
export type EndpointStatus = z.output<typeof EndpointStatus>;

/** The objects through which a request would go. */
export interface RoutePath {
  readonly route: KubernetesObject | undefined;
  /** The HTTPRoute that the AI gateway generates; undefined while it has not been fetched or made. */
  readonly httpRoute: KubernetesObject | undefined;
  readonly gateway: KubernetesObject | undefined;
}

/** What the gateway does with each replica and each external endpoint, from observed objects only (S5). */
export function listEndpoints(
  service: string,
  { chosen, externals }: Pick<BackendChoice, 'chosen' | 'externals'>,
  path: RoutePath,
): readonly EndpointStatus[] {
  const isProgrammed = path.gateway !== undefined && judgeReadiness(path.gateway) === 'Ready';
  const weights: RouteWeights = {
    isAccepted: judgeHttpRoute(path.httpRoute) === 'Ready',
    written: readWeights(path.route),
    accepted: readWeights(path.httpRoute),
  };
  return [
    ...chosen.map((replica) => replicaRow(service, replica, { ...weights, isProgrammed })),
    ...externals.flatMap((external) => externalRow(service, external, weights)),
  ];
}

/** Names of the external endpoints to which the gateway sends requests when their turn comes, by the accepted route. */
export function listRoutedExternals(
  service: string,
  externals: readonly ExternalSeen[],
  { httpRoute }: RoutePath,
): readonly string[] {
  if (judgeHttpRoute(httpRoute) !== 'Ready') return [];
  const accepted = readWeights(httpRoute);
  return externals
    .map(({ name }) => name)
    .filter((name) => (accepted.get(externalBackendName(service, name)) ?? 0) > 0);
}

interface RouteWeights {
  readonly isAccepted: boolean;
  readonly written: ReadonlyMap<string, number>;
  readonly accepted: ReadonlyMap<string, number>;
}

function replicaRow(
  service: string,
  { replica, hasEndpoint, priority }: WeightedReplica,
  { isAccepted, written, accepted, isProgrammed }: RouteWeights & { readonly isProgrammed: boolean },
): EndpointStatus {
  const effective = isAccepted ? (accepted.get(backendName(service, replica.name)) ?? 0) : 0;
  const asked = written.get(serviceBackendName(service, replica.name, 'OpenAI')) ?? 0;
  return {
    replica: replica.name,
    ...(isAccepted ? { weight: Math.max(effective, asked) } : {}),
    ...(priority === 0 ? {} : { priority }),
    routable: effective > 0 && hasEndpoint === true && isProgrammed,
    ...(replica.generation === undefined ? {} : { generation: replica.generation }),
  };
}

/** An endpoint that may not be used and never was has no row. */
function externalRow(
  service: string,
  { name, endpoint, priority }: ExternalSeen,
  { isAccepted, written, accepted }: RouteWeights,
): readonly EndpointStatus[] {
  if (endpoint === undefined) return [];
  const effective = isAccepted ? (accepted.get(externalBackendName(service, name)) ?? 0) : 0;
  const asked = written.get(externalServiceName(service, name)) ?? 0;
  return [
    {
      external: name,
      hostname: endpoint.hostname,
      schema: endpoint.schema,
      ...(isAccepted ? { weight: Math.max(effective, asked) } : {}),
      ...(priority === 0 ? {} : { priority }),
    },
  ];
}

/** Whether the gateway has accepted an HTTPRoute of this generation with all its backends. */
export function judgeHttpRoute(httpRoute: KubernetesObject | undefined): Readiness {
  if (httpRoute === undefined) return 'Unknown';
  const found = [checkCondition('Accepted')(httpRoute), checkCondition('ResolvedRefs')(httpRoute)];
  if (found.includes('NotReady')) return 'NotReady';
  return found.every((readiness) => readiness === 'Ready') ? 'Ready' : 'Unknown';
}
