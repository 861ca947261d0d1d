import type { Definition } from '../definition.ts';
import { ModelReplicaSpec, ModelReplicaStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'ModelReplica',
  plural: 'modelreplicas',
  singular: 'modelreplica',
  shortNames: ['mr'],
  scope: 'Namespaced',
  title: 'Model replica',
  description:
    'One serving copy of a model: its node pools, its workload, its revisions. Composed by a ModelDeployment.',
  spec: ModelReplicaSpec,
  status: ModelReplicaStatus,
  columns: [
    { name: 'SHAPE', type: 'string', jsonPath: '.status.shape', description: 'Shape that has nodes' },
    { name: 'CLASS', type: 'string', jsonPath: '.status.class', description: 'Class of its nodes' },
    { name: 'ZONE', type: 'string', jsonPath: '.status.zone', description: 'Zone of its nodes' },
    {
      name: 'PLACED',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Placed")].status',
      description: 'Whether its nodes are usable',
    },
    {
      name: 'ANSWERS',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="EngineReady")].status',
      description: 'Whether its engine answers',
    },
    {
      name: 'USD/H',
      type: 'number',
      jsonPath: '.status.usdPerHour',
      description: 'Price of what is asked for in dollars per hour',
    },
    {
      name: 'REASON',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Placed")].reason',
      description: 'Why it is placed or not',
    },
    {
      name: 'CLUSTER',
      type: 'string',
      jsonPath: '.spec.clusterName',
      description: 'Cluster of the replica',
      priority: 1,
    },
  ],
};
