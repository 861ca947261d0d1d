import { z } from 'zod';

/** One flag of an engine in a status. */
export const FlagStatus = z
  .object({
    flag: z.string().describe('Name of the flag.'),
    value: z.string().describe('Its value; empty for a switch.'),
    setBy: z.string().describe('computed, or author: spec.engine.args wins.'),
    reason: z.string().describe('Why it has this value.'),
  })
  .describe('One flag of the engine.');
