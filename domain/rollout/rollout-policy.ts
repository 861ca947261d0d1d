import { z } from 'zod';

/** When a rollout has failed, and what happens then. */
export const RolloutPolicy = z
  .object({
    deadlineMinutes: z
      .int32()
      .min(1)
      .max(1440)
      .optional()
      .describe(
        'Minutes in which a new revision must answer. Unset: the budget of its startup probe and 15 minutes for the pull of its image.',
      ),
    onFailure: z
      .enum(['GoBack', 'Stay'])
      .optional()
      .describe(
        'What a replica does when its new revision fails: GoBack runs the last good one again, Stay leaves it as it is. Unset: GoBack.',
      ),
  })
  .describe('When a rollout has failed, and what happens then.');
export type RolloutPolicy = z.output<typeof RolloutPolicy>;
