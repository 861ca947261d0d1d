import { z } from 'zod';

/** The load balancer in front of the gateway: an AWS Network Load Balancer, made by the AWS Load Balancer Controller. */
export const LoadBalancer = z.object({
  scheme: z
    .enum(['internal', 'internet-facing'])
    .default('internal')
    .describe('Who can reach the address: the VPC and what is connected to it, or the internet. Default: "internal".'),
  idleTimeoutSeconds: z
    .int32()
    .min(60)
    .max(6000)
    .default(6000)
    .describe(
      'Seconds without a byte after which the load balancer forgets a connection, 60 to 6000. A smaller number cuts streams that are silent for longer. Default: 6000.',
    ),
  sourceRanges: z
    .array(
      z
        .string()
        .max(43)
        .regex(/^[0-9a-fA-F:.]+\/[0-9]{1,3}$/),
    )
    .max(64)
    .default([])
    .describe('Address ranges (CIDR) that may connect. Default: all that the scheme lets through.'),
});
export type LoadBalancer = z.output<typeof LoadBalancer>;
