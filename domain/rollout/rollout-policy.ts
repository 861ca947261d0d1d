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

const notYet = 'It does not act yet.';

/** What a new revision must prove before it gets requests (L6). */
export const Conformance = z
  .object({
    enabled: z
      .boolean()
      .optional()
      .describe(`Whether a new revision is tried before it gets requests. Unset: no. ${notYet}`),
    cases: z
      .array(z.enum(['CopyNames', 'ToolCall', 'LongStream']))
      .min(1)
      .max(3)
      .optional()
      .describe(
        `Built-in cases: CopyNames copies fifty names back, ToolCall fills the required fields of a tool, LongStream must end with a finish reason. Unset: all. ${notYet}`,
      ),
    ownCases: z
      .object({
        configMapName: z
          .string()
          .min(1)
          .max(253)
          .describe(`ConfigMap in the namespace of the claim with cases of your own (L47). ${notYet}`),
      })
      .optional()
      .describe(`Cases of your own. Unset: none. ${notYet}`),
    leastPassShare: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(`Share of the cases that must pass, 0 to 1. Unset: 1. ${notYet}`),
  })
  .describe(`What a new revision must prove before it gets requests. ${notYet}`);
export type Conformance = z.output<typeof Conformance>;
