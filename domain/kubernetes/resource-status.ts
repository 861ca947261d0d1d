import { z } from 'zod';

/** `status.resources` of every kind: one row for each composed resource, what a person asks first. */
export const ResourceStatus = z
  .object({
    name: z.string().describe('Name of the composed resource.'),
    kind: z.string().describe('Kind of the composed resource.'),
    state: z
      .string()
      .describe('State judged from evidence: Planned, Created, Waiting, Ready, Held, or the state of a rung.'),
    why: z.string().describe('Why it is in this state.'),
    since: z.string().optional().describe('When the state began (RFC 3339), where that matters.'),
  })
  .describe('One composed resource.');
export type ResourceStatus = z.output<typeof ResourceStatus>;
