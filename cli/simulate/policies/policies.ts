import { blocklistFailover } from './blocklist-failover.ts';
import { oneShape } from './one-shape.ts';
import { ours } from './ours.ts';
import type { Policy } from './policy.ts';
import { sequentialRetry } from './sequential-retry.ts';
import { weightedPools } from './weighted-pools.ts';

/** Every policy that is compared, ours first. */
export const policies: readonly Policy[] = [ours, oneShape, sequentialRetry, weightedPools, blocklistFailover];
