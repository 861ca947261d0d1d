/**
 * SGLang sizes its pool without a profile run (fit.md 3, read 2026-12-01): the static fraction holds weights and cache,
 * and what it leaves must hold activations and graphs. Hence more cache than vLLM, and running out of memory later.
 */
import type { Accelerator } from '../../hardware/accelerator.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { acceleratorCount } from '../../shape/shape.ts';
import { gib, mib } from '../../units/bytes.ts';
import type { StatedSettings } from '../engine-settings.ts';
import type { EngineBehaviour } from './vllm-eras.ts';

/** How SGLang accounts for the memory of a shape. */
export function sglangBehaviour(
  accelerator: Accelerator,
  shape: ParallelShape,
  stated: StatedSettings,
): EngineBehaviour {
  return {
    runner: 'V1',
    defaultUtilization: sglangFraction(accelerator, shape, stated),
    defaultSequences: { small: 256, large: 1024 },
    samplerBytes: 0,
    subtractsGraphs: false,
    measuresGraphs: false,
    profilesActivation: false,
    cachesHybridPrefixes: true,
    separatePools: true,
    sharesIndexers: true,
    needsStatePerSequence: false,
    logsTokensBy: 'concurrency',
  };
}

/** What SGLang keeps free for activations and graphs unless it is told otherwise. */
export function sglangReserve(accelerator: Accelerator, shape: ParallelShape, stated: StatedSettings): number {
  return (1 - sglangFraction(accelerator, shape, stated)) * accelerator.visibleMemory;
}

/** Chunk of prefill and largest graph by memory of the accelerator. */
const defaultsByMemory: readonly (readonly [upToGib: number, chunk: number, largestGraph: number])[] = [
  [20, 2048, 8],
  [35, 2048, 24],
  [60, 4096, 32],
  [90, 8192, 256],
  [Number.POSITIVE_INFINITY, 16384, 256],
];

/** The static fraction that SGLang chooses: kept free, of all, are 512 MiB, 1.5 MiB a chunk token, an eighth of a GiB a rank, 2 MiB a graph size. */
export function sglangFraction(accelerator: Accelerator, shape: ParallelShape, stated: StatedSettings): number {
  const total = accelerator.visibleMemory;
  const [, chunk, graphs] = defaultsByMemory.find(([upTo]) => total <= upTo * gib) ?? [0, 8192, 256];
  const batch = stated.maxNumBatchedTokens ?? chunk;
  const ranks = acceleratorCount(shape);
  const reserved = 512 * mib + 1.5 * mib * batch + (ranks * gib) / 8 + 2 * mib * (stated.largestGraph ?? graphs);
  const least = total > 60 * gib ? 10 * gib : 0;
  return Math.round((1 - Math.max(reserved, least) / total) * 1000) / 1000;
}
