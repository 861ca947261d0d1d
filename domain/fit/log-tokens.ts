import type { Bytes } from '../units/bytes.ts';
import type { MemoryAccount } from './account-memory.ts';
import { blocksForRequest, countBlocks } from './families/cache-layout.ts';

/**
 * The tokens that the engine's own log would state for a pool of so many bytes (fit.md 2.4). Up to 0.21 that is the
 * blocks of one group; from 0.22 it is concurrency times context, so that it moves with the context of a hybrid.
 */
export function logTokens(account: MemoryAccount, bytes: Bytes): number | undefined {
  const { layout, settings, behaviour } = account;
  if (layout === undefined) return undefined;
  const blocks = countBlocks(layout, bytes);
  const groups = layout.groups.reduce((sum, group) => sum + group.count, 0);
  const smallest = Math.min(...layout.groups.map((group) => group.blockTokens));
  if (behaviour.logsTokensBy === 'blocks' || settings.maxModelLen === 0) return Math.floor(blocks / groups) * smallest;
  const perRequest = blocksForRequest(layout, settings.maxModelLen, settings.maxNumBatchedTokens);
  return Math.floor((blocks / perRequest) * settings.maxModelLen);
}
