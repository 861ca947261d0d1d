import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';

const ServiceRoute = z.object({
  deploymentName: z.string().min(1).max(63).describe('Name of a ModelDeployment in the same namespace.'),
  weight: z
    .int32()
    .min(0)
    .max(100)
    .default(100)
    .describe(
      "Share of the requests relative to the other routes, 0 to 100, split evenly over the deployment's ready replicas. Default: 100.",
    ),
});

const ServiceRoutes = withRules(z.array(ServiceRoute).min(1).max(16), [
  {
    rule: 'self.all(route, self.exists_one(other, other.deploymentName == route.deploymentName))',
    message: 'a ModelDeployment is named twice: give it one route, with the sum of the weights',
    holds: (routes) => new Set(routes.map((route) => route.deploymentName)).size === routes.length,
  },
  {
    rule: 'self.exists(route, route.weight > 0)',
    message: 'every route has weight 0: give at least one a weight of 1 to 100, or delete the ModelService',
    holds: (routes) => routes.some((route) => route.weight > 0),
  },
]);

/** What an inference engineer writes about one model name. */
export const ModelServiceSpec = z
  .object({
    gatewayName: z
      .string()
      .min(1)
      .max(63)
      .describe('Name of the InferenceGateway; its spec.modelNamespaces must name this namespace.'),
    routes: ServiceRoutes.describe('Where requests go: one route for each ModelDeployment.'),
  })
  .describe('Which gateway serves the model name, and where its requests go.');
export type ModelServiceSpec = z.output<typeof ModelServiceSpec>;

/** The model name that callers send (L26). */
export function modelName(namespace: string, service: string): string {
  return `${namespace}/${service}`;
}
