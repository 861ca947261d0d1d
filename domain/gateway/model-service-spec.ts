import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';
import { ExternalEndpoint } from './external-endpoint.ts';

const RouteFields = z.object({
  type: z
    .enum(['Deployment', 'ExternalEndpoint'])
    .default('Deployment')
    .describe(
      '"Deployment": the replicas of deploymentName answer. "ExternalEndpoint": externalEndpoint does. Default: "Deployment".',
    ),
  deploymentName: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe('Name of a ModelDeployment in the same namespace, for the type "Deployment".'),
  externalEndpoint: ExternalEndpoint.optional().describe(
    'A model that somebody else serves, for the type "ExternalEndpoint", e.g. a hosted fallback.',
  ),
  weight: z
    .int32()
    .min(0)
    .max(100)
    .default(100)
    .describe(
      "Share of the requests relative to the other routes of the same priority, 0 to 100, split evenly over the deployment's ready replicas. Default: 100.",
    ),
  priority: z
    .int32()
    .min(0)
    .max(15)
    .default(0)
    .describe(
      'Order of fallback, 0 to 15: requests go to the lowest number that has something to answer them, and to the next one when that fails before its first byte. Default: 0.',
    ),
});

const ServiceRoute = withRules(RouteFields, [
  {
    rule: "self.type != 'Deployment' || has(self.deploymentName)",
    message:
      'deploymentName is missing: name a ModelDeployment, or set type to "ExternalEndpoint" and give externalEndpoint',
    holds: (route) => route.type !== 'Deployment' || route.deploymentName !== undefined,
  },
  {
    rule: "self.type != 'Deployment' || !has(self.externalEndpoint)",
    message: 'externalEndpoint has no effect when type is "Deployment": remove it, or set type to "ExternalEndpoint"',
    holds: (route) => route.type !== 'Deployment' || route.externalEndpoint === undefined,
  },
  {
    rule: "self.type != 'ExternalEndpoint' || has(self.externalEndpoint)",
    message: 'externalEndpoint is missing: describe the endpoint, or set type to "Deployment" and give deploymentName',
    holds: (route) => route.type !== 'ExternalEndpoint' || route.externalEndpoint !== undefined,
  },
  {
    rule: "self.type != 'ExternalEndpoint' || !has(self.deploymentName)",
    message: 'deploymentName has no effect when type is "ExternalEndpoint": remove it, or set type to "Deployment"',
    holds: (route) => route.type !== 'ExternalEndpoint' || route.deploymentName === undefined,
  },
]);

const ServiceRoutes = withRules(z.array(ServiceRoute).min(1).max(16), [
  {
    rule: 'self.all(route, !has(route.deploymentName) || self.exists_one(other, has(other.deploymentName) && other.deploymentName == route.deploymentName))',
    message: 'a ModelDeployment is named twice: give it one route, with the sum of the weights',
    holds: (routes) => areUnique(routes.flatMap(({ deploymentName }) => deploymentName ?? [])),
  },
  {
    rule: 'self.all(route, !has(route.externalEndpoint) || self.exists_one(other, has(other.externalEndpoint) && other.externalEndpoint.name == route.externalEndpoint.name))',
    message: 'two external endpoints have one name: give each its own',
    holds: (routes) => areUnique(routes.flatMap(({ externalEndpoint }) => externalEndpoint?.name ?? [])),
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
    routes: ServiceRoutes.describe('Where requests go: one route for each ModelDeployment and each external endpoint.'),
  })
  .describe('Which gateway serves the model name, and where its requests go.');
export type ModelServiceSpec = z.output<typeof ModelServiceSpec>;

/** The share and the order of a route. */
interface RouteShare {
  readonly weight: number;
  readonly priority: number;
}

/** A route whose replicas answer. */
export interface DeploymentRoute extends RouteShare {
  readonly deploymentName: string;
}

/** A route that somebody else answers. */
export interface ExternalRoute extends RouteShare {
  readonly endpoint: ExternalEndpoint;
  /** The field of the route, as the author counts. */
  readonly field: string;
}

/** The routes that replicas answer, in the order of the claim. */
export function deploymentRoutes({ routes }: ModelServiceSpec): readonly DeploymentRoute[] {
  return routes.flatMap(({ deploymentName, weight, priority }) =>
    deploymentName === undefined ? [] : [{ deploymentName, weight, priority }],
  );
}

/** The routes that external endpoints answer, in the order of the claim. */
export function externalRoutes({ routes }: ModelServiceSpec): readonly ExternalRoute[] {
  return routes.flatMap(({ externalEndpoint: endpoint, weight, priority }, index) =>
    endpoint === undefined ? [] : [{ endpoint, weight, priority, field: `spec.routes[${index}].externalEndpoint` }],
  );
}

/** The model name that callers send (L26). */
export function modelName(namespace: string, service: string): string {
  return `${namespace}/${service}`;
}

function areUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
