import type { Definition } from '../definition.ts';
import { ModelDeploymentSpec, ModelDeploymentStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'ModelDeployment',
  plural: 'modeldeployments',
  singular: 'modeldeployment',
  shortNames: ['md'],
  scope: 'Namespaced',
  title: 'Model deployment',
  description:
    'A claim for a model: this checkpoint, this much context, this many requests at once, within this budget. Written by the inference engineer.',
  spec: ModelDeploymentSpec,
  status: ModelDeploymentStatus,
  columns: [
    { name: 'MODEL', type: 'string', jsonPath: '.spec.model.name', description: 'Model on the hub' },
    { name: 'SHAPE', type: 'string', jsonPath: '.status.model.shape', description: 'Shape of the preferred candidate' },
    { name: 'CLASS', type: 'string', jsonPath: '.status.model.class', description: 'Class of the preferred candidate' },
    { name: 'WANTED', type: 'integer', jsonPath: '.spec.replicas', description: 'Replicas asked for' },
    {
      name: 'ANSWERING',
      type: 'integer',
      jsonPath: '.status.replicas.ready',
      description: 'Replicas whose engine answers',
    },
    {
      name: 'ROUTABLE',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Routable")].status',
      description: 'Whether a request would be answered',
    },
    { name: 'USD/H', type: 'number', jsonPath: '.status.usdPerHour', description: 'Price in dollars per hour' },
    {
      name: 'REASON',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Placed")].reason',
      description: 'Why it is placed or not',
    },
  ],
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas.total',
    labelSelectorPath: '.status.selector',
  },
};
