import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';

const CallerSecret = z.object({
  secretRef: z
    .object({
      name: z.string().min(1).max(253).describe('Name of an Opaque Secret in spec.namespace.'),
    })
    .describe('The Secret that holds the keys.'),
});

const Callers = withRules(z.array(CallerSecret).min(1).max(64), [
  {
    rule: 'self.all(caller, self.exists_one(other, other.secretRef.name == caller.secretRef.name))',
    message: 'a Secret is named twice: name each Secret of keys once',
    holds: (callers) => new Set(callers.map((caller) => caller.secretRef.name)).size === callers.length,
  },
]);

/** Who may call through the gateway. A gateway without it is closed. */
export const CallerAuth = withRules(
  z.object({
    type: z
      .enum(['ApiKey', 'Anonymous'])
      .describe(
        '"ApiKey": a request needs a key of one of the callers, as "Authorization: Bearer KEY" or as "x-api-key: KEY". "Anonymous": anyone who reaches the gateway may call, and the gateway says so.',
      ),
    callers: Callers.optional().describe(
      'Secrets of keys, for the type "ApiKey". Each data key is the id of a caller (letters, digits, ".", "_" and "-") and its value is that caller\'s key. Ids and keys must be unique over all the Secrets: an id met twice loses its second key, and a key met twice makes every request answer 500.',
    ),
  }),
  [
    {
      rule: "self.type != 'ApiKey' || has(self.callers)",
      message: 'callers is missing: name a Secret of keys, or leave spec.auth out to keep the gateway closed',
      holds: (auth) => auth.type !== 'ApiKey' || auth.callers !== undefined,
    },
    {
      rule: "self.type != 'Anonymous' || !has(self.callers)",
      message: 'callers has no effect when type is "Anonymous": remove it, or set type to "ApiKey"',
      holds: (auth) => auth.type !== 'Anonymous' || auth.callers === undefined,
    },
  ],
);
export type CallerAuth = z.output<typeof CallerAuth>;
