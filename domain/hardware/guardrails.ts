import { z } from 'zod';

/** What the platform team lets claims do; a claim beyond it is refused with the field and the owner of the rule. */
export const Guardrails = z
  .object({
    imagePrefixes: z
      .array(z.string().min(1).max(253))
      .min(1)
      .max(32)
      .optional()
      .describe('Prefixes of engine images that claims may use, e.g. `registry.example.com/vllm/`. Unset: any image.'),
    trustRemoteCode: z
      .enum(['Refuse', 'Allow'])
      .default('Refuse')
      .describe('Whether a claim may pass `--trust-remote-code`, which runs code of the checkpoint. Default Refuse.'),
    perNamespace: z
      .object({
        usdPerHour: z
          .number()
          .positive()
          .optional()
          .describe(
            'Most that everything asked for by the replicas of one namespace may cost together, in dollars per hour. Unset: no cap.',
          ),
      })
      .optional()
      .describe('Caps for each namespace. The ledger grants room, the oldest replica first; what was asked for stays.'),
    externalEndpoints: z
      .array(
        z
          .string()
          .max(253)
          .regex(/^\.?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/),
      )
      .min(1)
      .max(32)
      .optional()
      .describe(
        'Host names of external endpoints that ModelServices may send requests to, through the gateways of this cluster. An entry that begins with a dot stands for every host name that ends with it, e.g. `.vendor.example`. Unset: none. A route that runs is kept when the list becomes shorter.',
      ),
  })
  .describe('What claims may do here. Engines that run stay as they are when a rule becomes stricter.');
export type Guardrails = z.output<typeof Guardrails>;

/** The parts of a claim that guardrails look at. */
export interface GuardedClaim {
  readonly image: string;
  readonly args: readonly string[];
}

/** vLLM's argument parser takes underscores for dashes; `=false` and `--no-` switch it off. */
const trustsRemoteCode = /^--trust[-_]remote[-_]code(=(?!false$)|$)/i;
/** Prefixes that a message lists at most. */
const mostPrefixes = 5;

/**
 * Every rule that a claim breaks, as a sentence with the field, the owner of the rule, and the fix.
 *
 * @param owner the object that states the rules, as a message names it: `InferenceCluster "europe"`
 */
export function findBreaches({ image, args }: GuardedClaim, rules: Guardrails, owner: string): readonly string[] {
  const breaches: string[] = [];
  const { imagePrefixes } = rules;
  if (imagePrefixes !== undefined && !imagePrefixes.some((prefix) => image.startsWith(prefix))) {
    const allowed = [...imagePrefixes].sort().slice(0, mostPrefixes).join('", "');
    breaches.push(`spec.engine.image is "${image}", and ${owner} allows images of "${allowed}": use one of those`);
  }
  if (rules.trustRemoteCode === 'Refuse' && args.some((argument) => trustsRemoteCode.test(argument))) {
    breaches.push(
      `spec.engine.args has --trust-remote-code, and ${owner} refuses it: remove it, or let its owner set spec.guardrails.trustRemoteCode to Allow`,
    );
  }
  return breaches;
}
