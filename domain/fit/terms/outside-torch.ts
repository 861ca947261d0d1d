import type { Accelerator } from '../../hardware/accelerator.ts';
import { isOnSwitch, isUnified } from '../../hardware/accelerator-kind.ts';
import type { ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { type Bytes, gib } from '../../units/bytes.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { Runner } from '../engines/vllm-eras.ts';

/** CUDA context increments, collectives and workspaces by tensor parallel size (fit.md 1.3; between sizes: the next). */
const byTensorSize: readonly (readonly [ranks: number, gib: number])[] = [
  [1, 0.15],
  [2, 0.55],
  [4, 0.95],
  [Number.POSITIVE_INFINITY, 1.2],
];

/**
 * Eight ranks on one switch keep multicast buffers as well: three starts on H100 and H200 leave 2.2 to 2.5 GiB and a log
 * of V0 says 2.1, where eight ranks over PCIe leave 0.9 to 1.2 (measured cases, 2026-12-01).
 */
const switchedBytes = 2.2 * gib;

/**
 * On memory shared with the processor the page cache and every other process count too: what 13 starts on GB10 leave
 * unexplained is 1.5 to 3.8 GiB, median 2.6 (measured cases, 2026-12-01).
 */
const unifiedBytes = 2.6 * gib;

/** V0 measured before its collectives had buffers: nine logs on 1 to 16 ranks show 0.01 to 0.35 GiB, median 0.2. */
const beforeV1 = 0.25 * gib;

/** Memory of the device that torch does not see. */
export function nonTorchBytes(shape: ParallelShape, runner: Runner, accelerator: Accelerator): Bytes {
  const shared = isUnified(accelerator) ? unifiedBytes : 0;
  const isSwitched = shape.tensorParallelSize >= 8 && isOnSwitch(accelerator);
  if (isSwitched) return switchedBytes + pipelineBytes(shape) + shared;
  if (runner === 'V0') return beforeV1 + shared;
  const [, collectives] = byTensorSize.find(([ranks]) => shape.tensorParallelSize <= ranks) ?? [1, 1.2];
  return collectives * gib + pipelineBytes(shape) + shared;
}

function pipelineBytes({ pipelineParallelSize }: ParallelShape): Bytes {
  return pipelineParallelSize > 1 ? 0.3 * gib : 0;
}

/** The estimate of a latent model's graphs on several ranks grows faster, up to what is logged (4.77 to 4.99 GiB). */
const latentGraphs = { each: 0.14, most: 4.9 };

/** Runner V2 captures for a trial and measures: 0.23 GiB for 51 sizes (c003), 0.04 for four (a026). */
const measuredGraphs = { base: 0.05, each: 0.0035 };
/** Runner V1 extrapolates from two captures: 0.15 GiB and 8 MiB a size, 0.3 more for a drafter on one rank. */
const extrapolatedGraphs = { base: 0.15, each: 0.008, drafter: 0.3 };

/**
 * CUDA graphs as the engine estimates them (fit.md 1.4), more for latent attention on several ranks. On several ranks
 * the pools of four starts with and without a drafter differ by its weights and cache alone.
 */
export function graphBytes(
  facts: ModelFacts,
  shape: ParallelShape,
  settings: EngineSettings,
  isMeasured: boolean,
): Bytes {
  const { graphSizes, draftTokens } = settings;
  if (graphSizes === 0) return 0;
  const isWideLatent = facts.latent !== undefined && shape.tensorParallelSize >= 4;
  if (isWideLatent) return Math.min(latentGraphs.most, 0.15 + latentGraphs.each * graphSizes) * gib;
  if (isMeasured) return (measuredGraphs.base + measuredGraphs.each * graphSizes) * gib;
  const drafter = draftTokens > 0 && shape.tensorParallelSize === 1 ? extrapolatedGraphs.drafter : 0;
  return (extrapolatedGraphs.base + extrapolatedGraphs.each * graphSizes + drafter) * gib;
}

/** The CUDA context and what a start takes after the pool is sized: must fit beside the requested share (fit.md R3). */
export const contextBytes = 0.6 * gib;
