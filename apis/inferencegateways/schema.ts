import { z } from 'zod';
import { CallerStatus } from '../../domain/gateway/callers/caller-status.ts';
import { ListenerStatus } from '../../domain/gateway/gateway-status.ts';
import { ResourceStatus } from '../../domain/kubernetes/resource-status.ts';

/** `status` of an InferenceGateway, without the conditions, which core declares. */
export const InferenceGatewayStatus = z
  .object({
    address: z
      .string()
      .optional()
      .describe(
        'Host name of the load balancer: point the DNS records of spec.hostnames at it. Absent until every policy is accepted.',
      ),
    features: z
      .record(z.string(), z.boolean())
      .optional()
      .describe("Optional parts that the gateway's cluster has or lacks, as its InferenceCluster observed them."),
    externalEndpoints: z
      .array(z.string())
      .max(32)
      .optional()
      .describe('Host names that ModelServices may name as external endpoints, from the guardrails of its cluster.'),
    callers: z.array(CallerStatus).max(64).optional().describe('One row for each entry of spec.auth.callers.'),
    listeners: z.array(ListenerStatus).optional().describe('Listeners of the Gateway, as observed.'),
    resources: z.array(ResourceStatus).optional().describe('One row for each composed resource.'),
  })
  .describe('What Modelberth sees of the gateway.');
