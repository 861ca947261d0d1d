/**
 * One node group of the preferred shape, created with its size and left alone: what a blueprint or an eksctl file does. The
 * Auto Scaling group behind it goes on asking after CREATE_FAILED, and its nodes count when they join.
 * Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html (read 2026-12-01): several instance
 * types in order of preference, all subnets, Auto Scaling keeps the desired size.
 */
import { type Policy, poolsOf, wholeReplica } from './policy.ts';

const owner = 'nodes';

export const oneShape: Policy = {
  name: 'one-shape',
  start: ({ claim }, { fleet, groups }) => {
    const [rung] = claim.rungs;
    if (rung === undefined) throw new Error('A world has at least one rung');
    const { nodes } = rung.shape;
    return {
      step: (minute) => {
        if (groups.count() === 0)
          groups.create({ name: owner, pools: poolsOf(rung, claim.zones), size: nodes }, minute);
      },
      replica: (minute) => wholeReplica(fleet.running(owner), nodes, minute),
    };
  },
};
