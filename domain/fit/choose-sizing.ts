import type { Load } from './load.ts';
import { requestsAtOnce } from './requests-at-once.ts';
import type { Sizing } from './verdict.ts';

/**
 * Engine settings for a load. They are always written, so that activation and graph memory are functions of our inputs
 * and not of the engine's defaults for the accelerator (fit.md R2, R3; lesson L18: 256 sequences cost GLM-4.7-Flash
 * 2.4 GiB of graphs and the headroom with it).
 */
export function chooseSizing(load: Load): Sizing {
  return {
    gpuMemoryUtilization,
    maxModelLen: load.contextTokens,
    maxNumSeqs: sequencesFor(requestsAtOnce(load).requests),
    maxNumBatchedTokens,
  };
}

/** Start value of fit.md R3 (2026-12-01): 0.90 with expandable segments, which the workload always sets on CUDA. */
const gpuMemoryUtilization = 0.9;
/** vLLM's default for its API server on small accelerators; pinned so that it never depends on the device (fit.md 1). */
const maxNumBatchedTokens = 2048;
/** Sequences of one replica at most; the rest of a fleet's requests go to other replicas. */
const mostSequences = 1024;

/** fit.md R2: a quarter above the wanted concurrency, rounded up to a power of two, at least 8. */
function sequencesFor(requests: number): number {
  const wanted = Math.ceil(1.25 * requests);
  return Math.min(mostSequences, Math.max(8, 2 ** Math.ceil(Math.log2(wanted))));
}
