import { InferenceGatewaySpec } from '../../domain/gateway/inference-gateway-spec.ts';
import type { Definition } from '../definition.ts';
import { InferenceGatewayStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'InferenceGateway',
  plural: 'inferencegateways',
  singular: 'inferencegateway',
  shortNames: ['igw'],
  scope: 'Cluster',
  title: 'InferenceGateway',
  description:
    'A host name in front of the models of one InferenceCluster: closed until its callers are named, and safe for streams of hours.',
  spec: InferenceGatewaySpec,
  status: InferenceGatewayStatus,
  columns: [
    { name: 'HOST', type: 'string', jsonPath: '.spec.hostnames.api', description: 'Host name of the API' },
    { name: 'ADDRESS', type: 'string', jsonPath: '.status.address', description: 'Host name of the load balancer' },
    {
      name: 'SECURED',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Secured")].status',
      description: 'Whether every policy is accepted',
    },
    {
      name: 'REASON',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Secured")].reason',
      description: 'What it waits for',
    },
    {
      name: 'CLUSTER',
      type: 'string',
      jsonPath: '.spec.clusterName',
      description: 'Cluster of the gateway',
      priority: 1,
    },
  ],
};
