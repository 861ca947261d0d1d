import { z } from 'zod';
import { type SpecRule, withRules } from '../kubernetes/spec-rule.ts';

/** Variables that are set for the author, by a field of its own or by what the replica is. */
const ownVariables = [
  'HF_HOME',
  'HF_HUB_OFFLINE',
  'HF_TOKEN',
  'LWS_LEADER_ADDRESS',
  'LWS_WORKER_INDEX',
  'TRANSFORMERS_OFFLINE',
  'VLLM_HOST_IP',
];

/** Names under which secrets are kept, and values that look like one: the API server shows a value to every reader. */
const secretName = '(^|_)(TOKEN|KEY|SECRET|PASSWORD)$';
const secretValue = '^[A-Za-z0-9_.+/=-]{16,}$';
const knownToken = '^(hf_|sk-|ghp_|xox[abp]-|AKIA)[A-Za-z0-9_-]{8,}';

interface Fields {
  readonly name: string;
  readonly value?: string | undefined;
  readonly secretKeyRef?: unknown;
}

function holdsSecret({ name, value = '' }: Fields): boolean {
  const isNamed = new RegExp(secretName).test(name) && new RegExp(secretValue).test(value);
  return isNamed || new RegExp(knownToken).test(value);
}

const rules: readonly SpecRule<Fields>[] = [
  {
    rule: 'has(self.value) != has(self.secretKeyRef)',
    message: 'a variable has either value or secretKeyRef: write one of them',
    holds: ({ value, secretKeyRef }) => (value === undefined) !== (secretKeyRef === undefined),
  },
  {
    rule: `!has(self.value) || !has(self.name) || !(self.name.matches('${secretName}') && self.value.matches('${secretValue}') || self.value.matches('${knownToken}'))`,
    message:
      'value looks like a secret, which everyone who reads the claim would see: put it into a Secret and use secretKeyRef',
    holds: (variable) => !holdsSecret(variable),
  },
  {
    rule: `!has(self.name) || !(self.name in ['${ownVariables.join("', '")}'])`,
    message:
      'this variable is set by Modelberth: remove it; the token of the hub is spec.model.hubTokenSecret, the place of the weights spec.model.weights',
    holds: ({ name }) => !ownVariables.includes(name),
  },
];

/** One variable of the engine's environment: a value that everyone may read, or a key of a Secret. */
export const EngineVariable = withRules(
  z.object({
    name: z
      .string()
      .max(128)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .describe('Name of the variable, e.g. `VLLM_LOGGING_LEVEL`.'),
    value: z
      .string()
      .max(1024)
      .optional()
      .describe('Its value, which everyone who may read the claim sees. Unset: secretKeyRef is needed.'),
    secretKeyRef: z
      .object({
        name: z
          .string()
          .min(1)
          .max(253)
          .describe('Secret in the namespace of the claim, on the cluster of the replica.'),
        key: z
          .string()
          .max(253)
          .regex(/^[-._a-zA-Z0-9]+$/)
          .describe('Key in the Secret.'),
      })
      .optional()
      .describe('The Secret that has its value. Unset: value is needed.'),
  }),
  rules,
).describe('One variable of the environment.');
export type EngineVariable = z.output<typeof EngineVariable>;
