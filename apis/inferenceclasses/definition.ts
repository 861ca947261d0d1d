import type { Definition } from '../definition.ts';
import { InferenceClassSpec, InferenceClassStatus } from './schema.ts';

export const definition: Definition = {
  kind: 'InferenceClass',
  plural: 'inferenceclasses',
  singular: 'inferenceclass',
  shortNames: ['icl'],
  scope: 'Cluster',
  title: 'Inference class',
  description:
    'A hardware class: one accelerator, and the EKS instance types that carry it with their prices, if any do. Written by the platform team.',
  spec: InferenceClassSpec,
  status: InferenceClassStatus,
  columns: [
    {
      name: 'ACCELERATOR',
      type: 'string',
      jsonPath: '.spec.accelerator.name',
      description: 'Accelerator of the class',
    },
    {
      name: 'MEMORY',
      type: 'string',
      jsonPath: '.spec.accelerator.memory',
      description: 'Memory that the driver publishes',
    },
    {
      name: 'USD/H',
      type: 'number',
      jsonPath: '.status.admits.usdPerHour.least',
      description: 'Cheapest node in dollars per hour',
    },
    {
      name: 'REASON',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Catalogued")].reason',
      description: 'Why it is as it is',
    },
  ],
};
