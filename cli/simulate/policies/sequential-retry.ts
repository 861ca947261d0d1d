/**
 * One node group at a time: created with its size, deleted when EKS says CREATE_FAILED, then the next candidate, round
 * and round. What an apply that replaces a failed resource does, and what the second proof of concept did by hand.
 * It is given every rung in our order, gangs too, although somebody would have to rewrite the deployment for each.
 * Source: https://docs.aws.amazon.com/eks/latest/userguide/troubleshooting.html (read 2026-12-01): a failed node group
 * is to be deleted and created again; https://github.com/aws/containers-roadmap/issues/2204: it takes no update.
 */
import { type Policy, poolsOf, wholeReplica } from './policy.ts';

export const sequentialRetry: Policy = {
  name: 'sequential-retry',
  start: ({ claim }, { fleet, groups }) => {
    let attempt = 0;
    const rungOf = () => {
      const rung = claim.rungs[attempt % claim.rungs.length];
      if (rung === undefined) throw new Error('A world has at least one rung');
      return rung;
    };
    const ownerOf = () => `attempt-${attempt}`;
    return {
      step: (minute) => {
        if (groups.describe(ownerOf())?.status === 'CREATE_FAILED') {
          groups.remove(ownerOf(), minute);
          attempt += 1;
        }
        if (groups.describe(ownerOf()) !== undefined) return;
        const rung = rungOf();
        groups.create({ name: ownerOf(), pools: poolsOf(rung, claim.zones), size: rung.shape.nodes }, minute);
      },
      replica: (minute) => wholeReplica(fleet.running(ownerOf()), rungOf().shape.nodes, minute),
    };
  },
};
