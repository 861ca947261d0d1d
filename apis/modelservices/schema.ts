import { z } from 'zod';
import { EndpointStatus } from '../../domain/gateway/endpoint-status.ts';
import { ResourceStatus } from '../../domain/kubernetes/resource-status.ts';

/** `status` of a ModelService, without the conditions, which core declares. */
export const ModelServiceStatus = z
  .object({
    endpoints: z
      .array(EndpointStatus)
      .optional()
      .describe(
        'One row for each replica and external endpoint that the service routes to, at most 128 of them replicas.',
      ),
    resources: z.array(ResourceStatus).optional().describe('One row for each composed resource.'),
  })
  .describe('What Modelberth sees of the service.');
