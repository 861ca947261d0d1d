/**
 * A roofline for ranking shapes, never for promising latency (fit.md 7, read 2026-12-01): decoding reads every weight
 * that a batch touches and its cache, or computes, whichever is slower; tensor ranks add two exchanges a layer.
 * Deliberately left out: kernels, scheduling, speculation, overlap.
 */
import type { KnownAccelerator } from '../../hardware/known-accelerator.ts';
import { countParameters, type ParameterCounts } from '../../model/count-parameters.ts';
import type { ModelFacts } from '../../model/model-facts.ts';
import type { Shape } from '../../shape/shape.ts';
import type { Bytes } from '../../units/bytes.ts';

export interface SpeedQuestion {
  readonly facts: ModelFacts;
  readonly accelerator: KnownAccelerator;
  readonly shape: Shape;
  /** Weights of one rank. */
  readonly weights: Bytes;
  /** Bytes of the cache that one request of typical length holds on one rank. */
  readonly cachePerRequest: Bytes;
  readonly requests: number;
}

/** An estimate: ceilings that a well-kept engine comes near to. */
export interface Speed {
  /** Tokens a second of the replica, all requests together. */
  readonly decodeTokensPerSecond: number;
  readonly promptTokensPerSecond: number;
}

/** Share of the bandwidth and of the rate that engines reach (AIConfigurator: 0.8; a log on an A100: 0.72 and 0.7). */
const reached = { bandwidth: 0.75, rate: 0.6 };
/** One exchange over a switch or over PCIe, in seconds (order of magnitude; an inference, not measured here). */
const exchangeSeconds = { switched: 10e-6, bus: 40e-6 };

/** The estimate; undefined where the geometry or the accelerator's rates are unknown. */
export function estimateSpeed(question: SpeedQuestion): Speed | undefined {
  const { facts, accelerator, shape, requests } = question;
  const counts = countParameters(facts);
  const rate = accelerator.tflops.bf16;
  if (counts === undefined || rate === undefined) return undefined;
  const ranks = shape.tensorParallelSize;
  const reading = (touched(question, counts) + requests * question.cachePerRequest) / bandwidth(accelerator);
  const flops = 2 * activeParameters(facts, counts);
  const computing = (flops * requests) / (ranks * rate * 1e12 * reached.rate);
  const exchanging = ranks === 1 ? 0 : 2 * (facts.layers ?? 0) * exchangeOf(accelerator);
  // Stages work one after the other on a token, and each on another token at the same time.
  const step = Math.max(reading, computing / shape.pipelineParallelSize) + exchanging / shape.pipelineParallelSize;
  return {
    decodeTokensPerSecond: requests / step,
    promptTokensPerSecond: (ranks * shape.pipelineParallelSize * rate * 1e12 * reached.rate) / flops,
  };
}

function bandwidth(accelerator: KnownAccelerator): number {
  return accelerator.bandwidthGbs * 1e9 * reached.bandwidth;
}

function exchangeOf({ linkGbs }: KnownAccelerator): number {
  return linkGbs > 0 ? exchangeSeconds.switched : exchangeSeconds.bus;
}

/** Bytes of weights that one step reads: all dense ones, and the experts that a batch is expected to touch. */
function touched({ facts, weights, requests }: SpeedQuestion, counts: ParameterCounts): Bytes {
  const { experts } = facts;
  if (experts === undefined) return weights;
  const expertShare = counts.experts / (counts.experts + counts.dense + counts.keyValue + counts.repeated);
  const untouched = (1 - experts.perToken / experts.count) ** requests;
  return weights * (1 - expertShare * untouched);
}

function activeParameters({ experts }: ModelFacts, counts: ParameterCounts): number {
  const routed = experts === undefined ? 0 : (counts.experts * experts.perToken) / experts.count;
  return counts.dense + counts.keyValue + counts.repeated + counts.head + routed;
}
