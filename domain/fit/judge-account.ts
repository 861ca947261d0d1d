import type { Accelerator } from '../hardware/accelerator.ts';
import { isUnified } from '../hardware/accelerator-kind.ts';
import { type Bytes, gib } from '../units/bytes.ts';
import type { MemoryAccount } from './account-memory.ts';
import { blocksForRequest, countBlocks } from './families/cache-layout.ts';
import { contextBytes } from './terms/outside-torch.ts';

/** Below this many full-length requests at once a warning is due (fit.md R6). */
const comfortableConcurrency = 1.5;
/** What fragmentation and buffers of a running engine have taken beyond the profile (fit.md 5 and R3; L17). */
const runningBytes = 1 * gib;

/** From this share on nothing is left for what a running engine takes (fit.md R3: never for a served product). */
const riskyUtilization = 0.95;
/** Sort-based sampling of this many sequences has failed in the warm-up that follows the pool (four public logs). */
const riskySequences = 1024;

export type Judgement =
  | { readonly verdict: 'Fit'; readonly tight: boolean; readonly concurrency: number }
  | { readonly verdict: 'Misfit'; readonly shortfall: Bytes };

/**
 * Judges an account whose layout and pool are known; throws for one that is not. Identical starts differ by 0.4 to
 * 0.9 GiB, so between a comfortable fit and a misfit lies a fit that is tight: the pool holds what was asked by less than
 * the margin, or the engine has too little beside its share. Refused: a band below zero as well; an engine that lacks a
 * block stops, and a stopped start on a paid accelerator costs more than a refusal.
 */
export function judgeAccount(account: MemoryAccount, accelerator: Accelerator): Judgement {
  const { layout, available, settings } = account;
  if (layout === undefined || available === undefined) throw new Error('judgeAccount wants a pool and its layout');
  const perRequest = blocksForRequest(layout, settings.maxModelLen, settings.maxNumBatchedTokens);
  const needed = perRequest * layout.blockBytes;
  const shortfall = Math.max(needed - available, stateShortfall(account), account.notFree);
  if (shortfall > 0) return { verdict: 'Misfit', shortfall };
  const concurrency = countBlocks(layout, available) / perRequest;
  const tight =
    available - needed < margin(accelerator) || concurrency < comfortableConcurrency || isRisky(account, accelerator);
  return { verdict: 'Fit', tight, concurrency };
}

/** Each sequence of a hybrid takes one state block; more sequences than blocks stop the start (measured: 1,024, 856). */
function stateShortfall({ layout, available = 0, settings, behaviour }: MemoryAccount): Bytes {
  const hasStates = layout?.groups.some((group) => group.kind === 'state') === true;
  if (layout === undefined || !hasStates || !behaviour.needsStatePerSequence || !settings.statesSequences) return 0;
  const lacking = settings.maxNumSeqs - countBlocks(layout, available);
  return Math.max(0, lacking) * layout.blockBytes;
}

/** Whether what is left beside the requested share has failed before (fit.md 5, R3). */
function isRisky(account: MemoryAccount, accelerator: Accelerator): boolean {
  const { settings, behaviour } = account;
  const sorts = behaviour.samplerBytes > 12 && settings.maxNumSeqs >= riskySequences;
  const outside = (1 - settings.gpuMemoryUtilization) * accelerator.visibleMemory;
  const wanted = account.graphsOutside + contextBytes + runningBytes + account.activationOutside;
  return sorts || settings.gpuMemoryUtilization >= riskyUtilization || outside < wanted;
}

/**
 * The p90 of over-prediction on measured cases (fit.md R1): 1.5 GiB, or 2% of a large accelerator. Where memory is
 * shared, the page cache of the files counts as used until it is dropped: a tenth.
 */
export function margin(accelerator: Accelerator): Bytes {
  if (isUnified(accelerator)) return 0.1 * accelerator.visibleMemory;
  return Math.max(1.5 * gib, 0.02 * accelerator.visibleMemory);
}
