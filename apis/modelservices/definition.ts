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
    { name: 'GATEWAY', type: 'string', jsonPath: '.spec.gatewayName', description: 'Gateway that serves the name' },
    {
      name: 'ROUTABLE',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Routable")].status',
      description: 'Whether a request would be answered',
    },
    {
      name: 'REASON',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Routable")].reason',
      description: 'Why it is routable or not',
    },
    {
      name: 'DEPLOYMENT',
      type: 'string',
      jsonPath: '.spec.routes[0].deploymentName',
      description: 'Deployment of its first route',
      priority: 1,
    },
    {
      name: 'EXTERNAL',
      type: 'string',
      jsonPath: '.spec.routes[0].externalEndpoint.hostname',
      description: 'Host name of its first route, where that is an external endpoint',
      priority: 1,
    },
  ],
};
