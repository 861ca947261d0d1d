import type { Accelerator } from '../hardware/accelerator.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { ParallelShape } from '../shape/parallel-shape.ts';
import { parseFlags } from './author-settings.ts';
import { chooseSizing } from './choose-sizing.ts';
import { type EngineBuild, release } from './engines/engine-build.ts';
import { sglangFraction } from './engines/sglang.ts';
import type { Load } from './load.ts';
import { readSpeculation } from './read-speculation.ts';
import type { Sizing } from './verdict.ts';

export interface EngineSizingQuestion {
  readonly load: Load;
  readonly facts: ModelFacts;
  readonly accelerator: Accelerator;
  readonly shape: ParallelShape;
  readonly build: EngineBuild;
  /** The author's arguments: a drafter widens what graphs must hold, and some of them forbid a cap. */
  readonly args: readonly string[];
}

/** The settings for a load on one engine: the cap of graphs where it takes one, and SGLang's own kind of share. */
export function sizeForEngine(question: EngineSizingQuestion): Sizing {
  const { load, facts, accelerator, shape, build } = question;
  const sizing = chooseSizing(load);
  const cacheFormat = facts.quantisation?.cachePrecision;
  const largestGraph = graphCap(question, sizing.maxNumSeqs);
  const share =
    build.type === 'SGLang'
      ? { gpuMemoryUtilization: sglangFraction(accelerator, shape, { ...sizing, largestGraph }) }
      : {};
  return {
    ...sizing,
    ...share,
    ...(largestGraph === undefined ? {} : { largestGraph }),
    ...(cacheFormat === undefined ? {} : { cacheFormat }),
  };
}

/** vLLM has `--max-cudagraph-capture-size` since here; an image without a version may be older. */
const capsGraphs = release(12);
/** What says by itself which graphs are captured, or that none are. */
const ownGraphs = [
  '--enforce-eager',
  '--compilation-config',
  '-cc',
  '--cuda-graph-sizes',
  '--cudagraph-capture-sizes',
  '--disable-cuda-graph',
  '--cuda-graph-bs',
];

/** The next size that is captured from the sequences and what is drafted for each (fit.md R5). */
function graphCap({ build, args }: EngineSizingQuestion, maxNumSeqs: number): number | undefined {
  const flags = parseFlags(args);
  const takesCap = build.type === 'SGLang' || (build.version ?? 0) >= capsGraphs;
  if (!takesCap || ownGraphs.some((flag) => flags.has(flag))) return undefined;
  const drafted = readSpeculation(flags.get('--speculative-config')).draftTokens ?? 0;
  return coveringSize(maxNumSeqs * (1 + drafted));
}

/** The smallest size that is captured and holds so many tokens: 1, 2, 4, every 8 to 256, every 16 to 512. */
function coveringSize(tokens: number): number {
  const small = [1, 2, 4].find((size) => size >= tokens);
  if (small !== undefined) return small;
  const step = tokens <= 256 ? 8 : 16;
  return Math.min(512, step * Math.ceil(tokens / step));
}
