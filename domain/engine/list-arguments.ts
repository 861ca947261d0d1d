import type { Load } from '../fit/load.ts';
import type { Sizing } from '../fit/verdict.ts';
import type { Model } from '../model/model.ts';
import type { Shape } from '../shape/shape.ts';

/** Port on which the engine serves requests, health and metrics. */
export const enginePort = 8000;

/** Variables that LeaderWorkerSet sets in each pod of a gang (v0.8.0, run 2026-12-01). */
export const leaderAddressVariable = 'LWS_LEADER_ADDRESS';
const workerIndexVariable = 'LWS_WORKER_INDEX';
/** Port on which the ranks of a gang find each other. */
const gangPort = 29500;

export interface ArgumentsQuestion {
  readonly model: Model;
  readonly load: Load;
  readonly sizing: Sizing;
  readonly shape: Shape;
  /** Name by which the gateway asks for the model. */
  readonly servedName: string;
  /** Arguments that the author added; one that is also computed replaces it. */
  readonly authorArgs: readonly string[];
}

/** The command line of vLLM after `vllm serve`: the model, then each flag once, sorted; the author's win. */
export function listArguments(question: ArgumentsQuestion): readonly string[] {
  const flags = new Map<string, readonly string[]>();
  for (const words of [...groupFlags(computedFlags(question)), ...groupFlags(question.authorArgs)]) {
    flags.set(flagName(words), words);
  }
  return [
    question.model.name,
    ...[...flags].sort(([left], [right]) => (left < right ? -1 : 1)).flatMap(([, words]) => words),
  ];
}

function computedFlags({ model, load, sizing, shape, servedName }: ArgumentsQuestion): readonly string[] {
  const maxOutputTokens = load.maxOutputTokens ?? Math.floor(load.contextTokens / 4);
  return [
    `--gpu-memory-utilization=${sizing.gpuMemoryUtilization}`,
    `--max-model-len=${sizing.maxModelLen}`,
    `--max-num-batched-tokens=${sizing.maxNumBatchedTokens}`,
    `--max-num-seqs=${sizing.maxNumSeqs}`,
    // One unbounded request was enough to fragment a card until it ran out of memory (L17).
    `--override-generation-config={"max_new_tokens":${maxOutputTokens}}`,
    `--pipeline-parallel-size=${shape.pipelineParallelSize}`,
    `--port=${enginePort}`,
    ...(model.revision === undefined ? [] : [`--revision=${model.revision}`]),
    `--served-model-name=${servedName}`,
    `--tensor-parallel-size=${shape.tensorParallelSize}`,
    // The scraper's own requests were 99.5% of a kept log (L38).
    '--uvicorn-log-level=warning',
  ];
}

/** Each flag with the values that follow it, as words of the command line; a negative number is a value. */
function groupFlags(args: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const word of args) {
    const last = groups.at(-1);
    if (/^--?[A-Za-z]/.test(word) || last === undefined) groups.push([word]);
    else last.push(word);
  }
  return groups;
}

function flagName([flag = '']: readonly string[]): string {
  return flag.split('=')[0] ?? flag;
}

/** What a pod of a gang adds to the command line: who leads, how many nodes there are, and which one it is. */
export function gangArguments(nodes: number, role: 'leader' | 'worker'): readonly string[] {
  const rank = role === 'leader' ? '0' : `$(${workerIndexVariable})`;
  return [
    '--distributed-executor-backend=mp',
    ...(role === 'worker' ? ['--headless'] : []),
    `--master-addr=$(${leaderAddressVariable})`,
    `--master-port=${gangPort}`,
    `--nnodes=${nodes}`,
    `--node-rank=${rank}`,
  ];
}
