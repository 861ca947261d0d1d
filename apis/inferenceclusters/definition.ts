import type { Definition } from '../definition.ts';
import { InferenceClusterSpec, InferenceClusterStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'InferenceCluster',
  plural: 'inferenceclusters',
  singular: 'inferencecluster',
  shortNames: ['ic'],
  scope: 'Cluster',
  title: 'Inference cluster',
  description: 'An EKS cluster that exists, on which models may run. Written by the platform team.',
  spec: InferenceClusterSpec,
  status: InferenceClusterStatus,
  columns: [
    { name: 'EKS', type: 'string', jsonPath: '.spec.eks.name', description: 'Name of the EKS cluster' },
    { name: 'REGION', type: 'string', jsonPath: '.spec.eks.region', description: 'AWS region' },
    {
      name: 'NODES',
      type: 'integer',
      jsonPath: '.status.ledger.nodes',
      description: 'Accelerator nodes that have joined',
    },
    {
      name: 'STACK',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="StackReady")].status',
      description: 'Whether every part is installed',
    },
    {
      name: 'REASON',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="StackReady")].reason',
      description: 'Why it is as it is',
    },
  ],
};
