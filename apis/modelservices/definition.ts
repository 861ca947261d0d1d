import { ModelServiceSpec } from '../../domain/gateway/model-service-spec.ts';
import type { Definition } from '../definition.ts';
import { ModelServiceStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'ModelService',
  plural: 'modelservices',
  singular: 'modelservice',
  shortNames: ['msvc'],
  scope: 'Namespaced',
  title: 'ModelService',
  description:
    'A model name, "NAMESPACE/NAME", that callers send through a gateway, and the deployments and external endpoints that answer it.',
  spec: ModelServiceSpec,
  status: ModelServiceStatus,
  columns: [
    { name: 'GATEWAY', type: 'string', jsonPath: '.spec.gatewayName', description: 'The InferenceGateway.' },
    {
      name: 'ROUTABLE',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Routable")].reason',
      description: 'Whether a request would reach a ready engine, or why not.',
    },
    {
      name: 'DEPLOYMENTS',
      type: 'string',
      jsonPath: '.spec.routes[*].deploymentName',
      description: 'The ModelDeployments that answer.',
      priority: 1,
    },
    {
      name: 'EXTERNAL',
      type: 'string',
      jsonPath: '.spec.routes[*].externalEndpoint.hostname',
      description: 'Host names of the external endpoints that answer.',
      priority: 1,
    },
  ],
};
