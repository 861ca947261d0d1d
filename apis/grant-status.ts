import { z } from 'zod';

/** What one replica may ask for under a cap of its namespace, as a ledger lists it. */
export const GrantStatus = z
  .object({
    namespace: z.string().describe('Namespace of the replica.'),
    replica: z.string().describe('Name of the ModelReplica.'),
    usdPerHour: z.number().optional().describe('What it may spend in dollars per hour, where that has a cap.'),
    accelerators: z.int32().optional().describe('Accelerators that it may have, where they have a cap.'),
  })
  .describe('What one replica may ask for.');
