import { z } from 'zod';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { checkCondition } from '../readiness/check-condition.ts';
import { judgeReadiness, type Readiness } from '../readiness/judge-readiness.ts';
import type { WeightedReplica } from './choose-backends.ts';
import { readWeights } from './observed-weights.ts';
import { backendName, serviceBackendName } from './routes/service-facts.ts';

/** One replica of a ModelService, as its gateway sees it. */
export const EndpointStatus = z
  .object({
    replica: z.string().describe('Name of the ModelReplica.'),
    weight: z
      .int32()
      .optional()
      .describe(
        'Weight among the replicas, the larger of what the route says and what the gateway has accepted, so that 0 means that no new request goes there. The only replica keeps 1, even while it drains. Left out while the gateway has not accepted the route.',
      ),
    routable: z
      .boolean()
      .describe('Whether a request would reach it: it has weight, a ready endpoint and a programmed gateway.'),
    generation: z
      .int32()
      .optional()
      .describe(
        'Generation of the ModelReplica that the weight was decided from; an older one says nothing about its present traffic.',
      ),
  })
  .describe('One replica.');
export type EndpointStatus = z.output<typeof EndpointStatus>;

/** The objects through which a request would go. */
export interface RoutePath {
  readonly route: KubernetesObject | undefined;
  /** The HTTPRoute that the AI gateway generates; undefined while it has not been fetched or made. */
  readonly httpRoute: KubernetesObject | undefined;
  readonly gateway: KubernetesObject | undefined;
}

/** What the gateway does with each replica, from observed objects only (S5). */
export function listEndpoints(
  service: string,
  replicas: readonly WeightedReplica[],
  path: RoutePath,
): readonly EndpointStatus[] {
  const isAccepted = judgeHttpRoute(path.httpRoute) === 'Ready';
  const isProgrammed = path.gateway !== undefined && judgeReadiness(path.gateway) === 'Ready';
  const written = readWeights(path.route);
  const accepted = readWeights(path.httpRoute);
  return replicas.map(({ replica, hasEndpoint }) => {
    const effective = isAccepted ? (accepted.get(backendName(service, replica.name)) ?? 0) : 0;
    const asked = written.get(serviceBackendName(service, replica.name, 'OpenAI')) ?? 0;
    return {
      replica: replica.name,
      ...(isAccepted ? { weight: Math.max(effective, asked) } : {}),
      routable: effective > 0 && hasEndpoint === true && isProgrammed,
      ...(replica.generation === undefined ? {} : { generation: replica.generation }),
    };
  });
}

/** Whether the gateway has accepted an HTTPRoute of this generation with all its backends. */
export function judgeHttpRoute(httpRoute: KubernetesObject | undefined): Readiness {
  if (httpRoute === undefined) return 'Unknown';
  const found = [checkCondition('Accepted')(httpRoute), checkCondition('ResolvedRefs')(httpRoute)];
  if (found.includes('NotReady')) return 'NotReady';
  return found.every((readiness) => readiness === 'Ready') ? 'Ready' : 'Unknown';
}
