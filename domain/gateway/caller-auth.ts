import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';

const CallerFields = z.object({
  type: z
    .enum(['Secret', 'Generated'])
    .default('Secret')
    .describe(
      '"Secret": you keep the keys in a Secret. "Generated": a key is made once and kept in a Secret for you to hand out. Default: "Secret".',
    ),
  secretRef: z
    .object({
      name: z.string().min(1).max(253).describe('Name of an Opaque Secret in spec.namespace.'),
    })
    .optional()
    .describe(
      'The Secret that holds the keys, for the type "Secret". Each data key is the id of a caller, its value the key.',
    ),
  id: z
    .string()
    .max(63)
    .regex(/^[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$/)
    .optional()
    .describe(
      'Id of the caller, for the type "Generated". The key is in the Secret that status.callers names. Another id is another key: add one, such as "team.ci.2" beside "team.ci", to let two keys overlap.',
    ),
  expiresAt: z
    .string()
    .max(20)
    .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/)
    .optional()
    .describe('When these keys stop being admitted (RFC 3339, UTC). Unset: they are admitted until they are removed.'),
});

const Caller = withRules(CallerFields, [
  {
    rule: "self.type != 'Secret' || has(self.secretRef)",
    message: 'secretRef is missing: name a Secret of keys, or set type to "Generated" and give id',
    holds: ({ type, secretRef }) => type !== 'Secret' || secretRef !== undefined,
  },
  {
    rule: "self.type != 'Secret' || !has(self.id)",
    message: 'id has no effect when type is "Secret": remove it, or set type to "Generated"',
    holds: ({ type, id }) => type !== 'Secret' || id === undefined,
  },
  {
    rule: "self.type != 'Generated' || has(self.id)",
    message: 'id is missing: name the caller, or set type to "Secret" and give secretRef',
    holds: ({ type, id }) => type !== 'Generated' || id !== undefined,
  },
  {
    rule: "self.type != 'Generated' || !has(self.secretRef)",
    message: 'secretRef has no effect when type is "Generated": remove it, or set type to "Secret"',
    holds: ({ type, secretRef }) => type !== 'Generated' || secretRef === undefined,
  },
]);
export type Caller = z.output<typeof Caller>;

const Callers = withRules(z.array(Caller).min(1).max(64), [
  {
    rule: 'self.all(caller, !has(caller.secretRef) || self.exists_one(other, has(other.secretRef) && other.secretRef.name == caller.secretRef.name))',
    message: 'a Secret is named twice: name each Secret of keys once',
    holds: (callers) => areUnique(callers.flatMap(({ secretRef }) => secretRef?.name ?? [])),
  },
  {
    rule: 'self.all(caller, !has(caller.id) || self.exists_one(other, has(other.id) && other.id == caller.id))',
    message: 'an id is given twice: give each caller an id of its own',
    holds: (callers) => areUnique(callers.flatMap(({ id }) => id ?? [])),
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
      'Keys of callers, for the type "ApiKey". The id of a caller (letters, digits, ".", "_" and "-") reaches the engine and the access log. Ids and keys must be unique over all of them: one that is there already is refused and the others stay. A change in a Secret is noticed within a minute.',
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

function areUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
