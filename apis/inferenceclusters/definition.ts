import type { Definition } from '../definition.ts';
import { InferenceClusterSpec, InferenceClusterStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'InferenceCluster',
  plural: 'inferenceclusters',
  singular: 'inferencecluster',
  shortNames: ['ic'],
  scope: 'Cluster',
  title: 'Inference cluster',
  description:
    'A cluster that exists, on which models may run: an EKS cluster, or one with existing pools of nodes. Written by the platform team.',
  spec: InferenceClusterSpec,
  status: InferenceClusterStatus,
  columns: [
    { name: 'EKS', type: 'string', jsonPath: '.spec.eks.name', description: 'Name of the EKS cluster' },
    { name: 'REGION', type: 'string', jsonPath: '.spec.eks.region', description: 'AWS region' },
    {
      name: 'NODES',
      type: 'integer',
      jsonPath: '.status.ledger.nodes',
      description: 'Accelerator nodes of node groups that have joined',
    },
    {
      name: 'FREE',
      type: 'integer',
      jsonPath: '.status.ledger.freeAccelerators',
      description: 'Accelerators of existing pools that are granted to nobody',
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
