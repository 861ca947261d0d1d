/**
 * What the author's own arguments say of memory. The author wins; where the engine would then do something else than
 * what was computed from the claim, a warning names both values.
 */
import type { CacheFormat } from '../model/model-facts.ts';
import type { ParallelShape } from '../shape/parallel-shape.ts';
import { flagNames } from './advice/memory-flags.ts';
import type { StatedSettings } from './engine-settings.ts';
import type { EngineBuild } from './engines/engine-build.ts';
import { canonicalFlag } from './flag-name.ts';
import { readSpeculation } from './read-speculation.ts';
import type { Sizing } from './verdict.ts';

export interface AuthorSettings {
  readonly stated: StatedSettings;
  readonly warnings: readonly string[];
}

/** The author's arguments and what they are compared with. */
export interface AuthorQuestion {
  readonly args: readonly string[];
  readonly type: EngineBuild['type'];
  readonly sizing: Sizing;
  readonly shape: ParallelShape;
}

/** Reads the settings among the author's arguments, and compares them with the computed ones. */
export function readAuthorSettings(question: AuthorQuestion): AuthorSettings {
  const flags = parseFlags(question.args);
  const number = (name: string) => readNumber(flags.get(name));
  const stated: StatedSettings = {
    gpuMemoryUtilization: number('--gpu-memory-utilization') ?? number('--mem-fraction-static'),
    maxModelLen: readTokens(flags.get('--max-model-len')) ?? readTokens(flags.get('--context-length')),
    maxNumSeqs: number('--max-num-seqs') ?? number('--max-running-requests'),
    maxNumBatchedTokens: readTokens(flags.get('--max-num-batched-tokens')) ?? number('--chunked-prefill-size'),
    cacheFormat: readFormat(flags.get('--kv-cache-dtype')),
    blockTokens: number('--block-size'),
    largestGraph:
      number('--max-cudagraph-capture-size') ?? number('--cuda-graph-sizes') ?? number('--cuda-graph-max-bs'),
    kvCacheMemory: number('--kv-cache-memory-bytes') ?? number('--kv-cache-memory'),
    contextParallelSize: number('--decode-context-parallel-size'),
    ...readSpeculation(flags.get('--speculative-config')),
    eager: flags.has('--enforce-eager') || flags.has('--disable-cuda-graph') ? true : undefined,
    languageModelOnly: flags.has('--language-model-only') ? true : undefined,
    loraEnabled: flags.has('--enable-lora') ? true : undefined,
    prefixCaching: readSwitch(flags, 'enable-prefix-caching'),
  };
  return { stated, warnings: [...listContradictions(stated, question), ...contradictedSizes(flags, question.shape)] };
}

/** Flags by name; `--flag value` and `--flag=value` are the same, and the last one counts. */
export function parseFlags(args: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  let open: string | undefined;
  for (const argument of args) {
    if (open !== undefined && !argument.startsWith('-')) flags.set(open, argument);
    const [name = '', ...value] = argument.split('=');
    if (argument.startsWith('-')) flags.set(canonicalFlag(name), value.join('='));
    open = argument.startsWith('-') && value.length === 0 ? canonicalFlag(name) : undefined;
  }
  return flags;
}

const compared: readonly (readonly [keyof Sizing, string])[] = [
  ['maxModelLen', 'spec.load.contextTokens'],
  ['maxNumSeqs', 'spec.load'],
  ['maxNumBatchedTokens', 'the default of Modelberth'],
  ['gpuMemoryUtilization', 'the default of Modelberth'],
  ['largestGraph', 'the number of sequences'],
  ['cacheFormat', 'the checkpoint'],
];

function listContradictions(stated: StatedSettings, { sizing, type }: AuthorQuestion): readonly string[] {
  const warnings: string[] = [];
  for (const [field, source] of compared) {
    const [author, computed] = [stated[field], sizing[field]];
    if (author === undefined || computed === undefined || author === computed) continue;
    warnings.push(contradiction(flagNames[type][field], author, source, computed));
  }
  return warnings;
}

/** Sizes by which the author would split the model otherwise than the shape that is placed and judged. */
function contradictedSizes(flags: ReadonlyMap<string, string>, shape: ParallelShape): readonly string[] {
  const sizes = [
    ['--tensor-parallel-size', shape.tensorParallelSize],
    ['--pipeline-parallel-size', shape.pipelineParallelSize],
  ] as const;
  return sizes.flatMap(([flag, size]) => {
    const author = readNumber(flags.get(flag));
    return author === undefined || author === size ? [] : [contradiction(flag, author, 'the shape', size)];
  });
}

function contradiction(flag: string, author: number | string, source: string, computed: number | string): string {
  return `spec.engine.args sets ${flag} to "${author}" and ${source} gives "${computed}"; the args win`;
}

function readNumber(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** vLLM takes 32k for 32000 and 32K for 32768. */
function readTokens(text: string | undefined): number | undefined {
  const match = /^([\d.]+)([kK])$/.exec(text ?? '');
  return match === null ? readNumber(text) : Math.round(Number(match[1]) * (match[2] === 'K' ? 1024 : 1000));
}

function readFormat(text: string | undefined): CacheFormat | undefined {
  if (text === undefined || text === 'auto') return undefined;
  if (text.startsWith('fp8')) return 'fp8';
  return text.startsWith('nvfp4') ? 'nvfp4' : 'bf16';
}

function readSwitch(flags: ReadonlyMap<string, string>, name: string): boolean | undefined {
  if (flags.has(`--no-${name}`)) return false;
  return flags.has(`--${name}`) ? true : undefined;
}
