import { z } from 'zod';
import { caseNames } from './cases/built-in-cases.ts';
import { defaultLeastPassShare, defaultTries } from './odds.ts';

const notYet = 'It does not act yet.';
/** Minutes for a check where nothing else is said: 50 tries of each case on a small engine take less than 10. */
export const defaultDeadlineMinutes = 30;

/** What a new revision must prove before it gets requests (L6). */
export const Conformance = z
  .object({
    enabled: z
      .boolean()
      .optional()
      .describe(
        'Whether a new revision is tried before it gets requests. Unset: yes, where the release knows the image to try it with.',
      ),
    cases: z
      .array(z.enum(caseNames))
      .min(1)
      .max(caseNames.length)
      .optional()
      .describe(
        'Built-in cases, see docs/conformance.md. Unset: all that the arguments of the engine allow; those that call tools need --tool-call-parser.',
      ),
    tries: z
      .int32()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `Tries of each case; LongStream and LongContext get a tenth, at least 3. Unset: ${defaultTries}, by which an engine that is wrong in 30% of them passes with a chance of 1 in 224,723.`,
      ),
    leastPassShare: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(`Share of the tries of each case that must pass, 0 to 1. Unset: ${defaultLeastPassShare}.`),
    deadlineMinutes: z
      .int32()
      .min(1)
      .max(1440)
      .optional()
      .describe(
        `Minutes after which a check that has not ended counts as not run, which holds nothing back. Unset: ${defaultDeadlineMinutes}.`,
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
  })
  .describe('What a new revision must prove before it gets requests. A change applies to the next revision.');
export type Conformance = z.output<typeof Conformance>;
