import { parseFlags } from '../author-settings.ts';
import type { Load } from '../load.ts';
import { requestsAtOnce } from '../requests-at-once.ts';
import type { Sizing } from '../verdict.ts';

/** One flag of the engine, who set it, and why it has its value. */
export interface ExplainedFlag {
  readonly flag: string;
  readonly value: string;
  readonly setBy: 'computed' | 'author';
  readonly reason: string;
}

/** The flags that memory depends on, each once and with its reason; the author's value stands where there is one. */
export function explainFlags(sizing: Sizing, load: Load, authorArgs: readonly string[]): readonly ExplainedFlag[] {
  const author = parseFlags(authorArgs);
  return computedFlags(sizing, load).map(({ flag, value, reason }) => {
    const written = author.get(flag);
    return written === undefined
      ? { flag, value, setBy: 'computed', reason }
      : {
          flag,
          value: written,
          setBy: 'author',
          reason: `spec.engine.args sets it; "${value}" was computed: ${reason}`,
        };
  });
}

function computedFlags(sizing: Sizing, load: Load): readonly Omit<ExplainedFlag, 'setBy'>[] {
  const { gpuMemoryUtilization, maxModelLen, maxNumSeqs, maxNumBatchedTokens } = sizing;
  const { rule } = requestsAtOnce(load);
  return [
    {
      flag: '--max-model-len',
      value: `${maxModelLen}`,
      reason: 'spec.load.contextTokens; a longer request would take the cache of others',
    },
    {
      flag: '--max-num-seqs',
      value: `${maxNumSeqs}`,
      reason: `${rule}, a quarter above, rounded up to a power of two; each sequence costs sampler and graph memory (L18)`,
    },
    {
      flag: '--max-num-batched-tokens',
      value: `${maxNumBatchedTokens}`,
      reason: 'pinned, so that the activation does not depend on the accelerator',
    },
    {
      flag: '--gpu-memory-utilization',
      value: `${gpuMemoryUtilization}`,
      reason: 'a tenth of the memory is left for the context, graphs and the peaks of a running engine (L17, L18)',
    },
    {
      flag: '--override-generation-config',
      value: `{"max_new_tokens":${load.maxOutputTokens ?? Math.floor(load.contextTokens / 4)}}`,
      reason: 'one unbounded request fragmented a card until it ran out of memory (L17)',
    },
  ];
}
