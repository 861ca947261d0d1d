import { z } from 'zod';

const imagePrefixes = z.array(z.string().min(1).max(253)).min(1).max(32).optional();
const trustRemoteCode = z.enum(['Refuse', 'Allow']);
const hostPaths = z
  .array(
    z
      .string()
      .max(253)
      .regex(/^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/),
  )
  .max(16)
  .optional();

/** The most that the replicas of one namespace may have together of what states it. */
const NamespaceCaps = z.object({
  usdPerHour: z
    .number()
    .positive()
    .optional()
    .describe(
      'Most that everything asked for by the replicas of one namespace may cost together, in dollars per hour. Unset: no cap.',
    ),
  accelerators: z
    .int32()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'Most accelerators that everything asked for by the replicas of one namespace may have together. Unset: no cap.',
    ),
});
export type NamespaceCaps = z.output<typeof NamespaceCaps>;

/** What the platform team lets claims do; a claim beyond it is refused with the field and the owner of the rule. */
export const Guardrails = z
  .object({
    imagePrefixes: imagePrefixes.describe(
      'Prefixes of engine images that claims may use, e.g. `registry.example.com/vllm/`. Unset: any image.',
    ),
    trustRemoteCode: trustRemoteCode
      .default('Refuse')
      .describe('Whether a claim may pass `--trust-remote-code`, which runs code of the checkpoint. Default Refuse.'),
    hostPaths: hostPaths.describe(
      'Directories of the nodes from which claims may load weights, each with all that is below it, e.g. `/mnt/models`. Unset: none.',
    ),
    perNamespace: NamespaceCaps.optional().describe(
      'Caps for each namespace. The ledger grants room, the oldest replica first; what was asked for stays.',
    ),
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

/** What a class demands of the claims that use it, beside what its cluster demands of all. */
export const ClassGuardrails = z
  .object({
    imagePrefixes: imagePrefixes.describe(
      'Prefixes of engine images that may run on the class, e.g. `registry.example.com/vllm/`. Unset: any that the cluster allows.',
    ),
    trustRemoteCode: trustRemoteCode
      .optional()
      .describe(
        'Refuse: no claim may pass `--trust-remote-code` on the class, whatever the cluster allows. Unset or Allow: as the cluster says.',
      ),
    hostPaths: hostPaths.describe(
      'Directories of the nodes from which claims may load weights on the class, each with all that is below it. An empty list: none. Unset: those that the cluster allows.',
    ),
    perNamespace: NamespaceCaps.optional().describe(
      'Caps for each namespace on what it has of the class, over all clusters, beside those of the clusters. The ledger in the status of the class grants room, the oldest replica first; what was asked for stays. Unset: none.',
    ),
  })
  .describe(
    'What claims may do on nodes of the class. Engines that run stay as they are when a rule becomes stricter.',
  );
export type ClassGuardrails = z.output<typeof ClassGuardrails>;

/** The parts of a claim that guardrails look at. */
export interface GuardedClaim {
  readonly image: string;
  readonly args: readonly string[];
  /** Directory of the node that has the weights; unset where they come from elsewhere. */
  readonly hostPath?: string | undefined;
  /** Images of the containers beside the engine. */
  readonly images?: readonly GuardedImage[] | undefined;
}

/** An image, and the field that names it. */
export interface GuardedImage {
  readonly field: string;
  readonly image: string;
}

/** A rule that is not set allows everything. */
type Rules = Pick<ClassGuardrails, 'imagePrefixes' | 'trustRemoteCode' | 'hostPaths'>;

/** vLLM's argument parser takes underscores for dashes; `=false` and `--no-` switch it off. */
const trustsRemoteCode = /^--trust[-_]remote[-_]code(=(?!false$)|$)/i;
/** Prefixes that a message lists at most. */
const mostPrefixes = 5;

/**
 * Every rule that a claim breaks, as a sentence with the field, the owner of the rule, and the fix.
 *
 * @param owner the object that states the rules, as a message names it: `InferenceCluster "europe"`
 */
export function findBreaches(claim: GuardedClaim, rules: Rules, owner: string): readonly string[] {
  const breaches = [
    ...[{ field: 'spec.engine.image', image: claim.image }, ...(claim.images ?? [])].map((image) =>
      breachOfImage(image, rules, owner),
    ),
    breachOfCode(claim, rules, owner),
    breachOfPath(claim, rules, owner),
  ];
  return breaches.filter((breach) => breach !== undefined);
}

function breachOfImage(
  { field, image }: GuardedImage,
  { imagePrefixes: allowed }: Rules,
  owner: string,
): string | undefined {
  if (allowed === undefined || allowed.some((prefix) => image.startsWith(prefix))) return undefined;
  return `${field} is "${image}", and ${owner} allows images of ${listPrefixes(allowed)}: use one of those`;
}

function breachOfCode({ args }: GuardedClaim, rules: Rules, owner: string): string | undefined {
  if (rules.trustRemoteCode !== 'Refuse' || !args.some((argument) => trustsRemoteCode.test(argument))) return undefined;
  return `spec.engine.args has --trust-remote-code, and ${owner} refuses it: remove it, or let its owner set spec.guardrails.trustRemoteCode to Allow`;
}

function breachOfPath({ hostPath }: GuardedClaim, { hostPaths: allowed }: Rules, owner: string): string | undefined {
  if (hostPath === undefined || allowed === undefined) return undefined;
  if (allowed.some((folder) => hostPath === folder || hostPath.startsWith(`${folder}/`))) return undefined;
  const rule = allowed.length === 0 ? 'no directory of a node' : `directories of a node under ${listPrefixes(allowed)}`;
  return `spec.model.weights.path is "${hostPath}", and ${owner} allows ${rule}: use a PersistentVolumeClaim, or let its owner add the directory to spec.guardrails.hostPaths`;
}

function listPrefixes(prefixes: readonly string[]): string {
  return `"${[...prefixes].sort().slice(0, mostPrefixes).join('", "')}"`;
}
