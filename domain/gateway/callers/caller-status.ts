import { z } from 'zod';
import type { CallerSeen } from './admit-callers.ts';
import { callerTitle, keySecretName } from './key-secret.ts';

/** One entry of `spec.auth.callers`, as it is admitted. */
export const CallerStatus = z
  .object({
    name: z.string().describe('The Secret or the caller of the entry.'),
    secretName: z.string().describe('Name of the composed Secret that has the admitted keys.'),
    state: z
      .enum(['Admitted', 'Waiting', 'Expired'])
      .describe('Whether its keys are admitted, wait for a Secret to exist, or have expired.'),
    keys: z.int32().describe('Number of keys that are admitted.'),
    refused: z.int32().describe('Number of keys that are refused; the condition Secured says why.'),
    expiresAt: z.string().optional().describe('When its keys stop being admitted (RFC 3339).'),
  })
  .describe('One entry of spec.auth.callers.');
export type CallerStatus = z.output<typeof CallerStatus>;

/** The entries of the claim in its order; never a key. */
export function listCallers(gateway: string, seen: readonly CallerSeen[]): readonly CallerStatus[] {
  return seen.map(({ caller, state, keys, refusals }) => ({
    name: callerTitle(caller),
    secretName: keySecretName(gateway, caller),
    state,
    keys: state === 'Admitted' ? (keys?.size ?? 0) : 0,
    refused: refusals.length,
    ...(caller.expiresAt === undefined ? {} : { expiresAt: caller.expiresAt }),
  }));
}
