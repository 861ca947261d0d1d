/**
 * What the author's own arguments say of memory. The author wins; where the engine would then do something else than
 * what was computed from the claim, a warning names both values.
 */
import type { CacheFormat, StatedSettings } from './engine-settings.ts';
import { readSpeculation } from './read-speculation.ts';
import type { Sizing } from './verdict.ts';

export interface AuthorSettings {
  readonly stated: StatedSettings;
  readonly warnings: readonly string[];
}

/** Reads the settings among the author's arguments, and compares them with the computed ones. */
export function readAuthorSettings(args: readonly string[], sizing: Sizing): AuthorSettings {
  const flags = parseFlags(args);
  const number = (name: string) => readNumber(flags.get(name));
  const stated: StatedSettings = {
    gpuMemoryUtilization: number('--gpu-memory-utilization') ?? number('--mem-fraction-static'),
    maxModelLen: readTokens(flags.get('--max-model-len')) ?? readTokens(flags.get('--context-length')),
    maxNumSeqs: number('--max-num-seqs') ?? number('--max-running-requests'),
    maxNumBatchedTokens: readTokens(flags.get('--max-num-batched-tokens')) ?? number('--chunked-prefill-size'),
    cacheFormat: readFormat(flags.get('--kv-cache-dtype')),
    blockTokens: number('--block-size'),
    largestGraph: number('--max-cudagraph-capture-size') ?? number('--cuda-graph-sizes'),
    kvCacheMemory: number('--kv-cache-memory-bytes') ?? number('--kv-cache-memory'),
    contextParallelSize: number('--decode-context-parallel-size') ?? number('-dcp'),
    ...readSpeculation(flags.get('--speculative-config')),
    eager: flags.has('--enforce-eager') ? true : undefined,
    languageModelOnly: flags.has('--language-model-only') ? true : undefined,
    loraEnabled: flags.has('--enable-lora') ? true : undefined,
    prefixCaching: readSwitch(flags, 'enable-prefix-caching'),
  };
  return { stated, warnings: listContradictions(stated, sizing) };
}

/** Flags by name; `--flag value` and `--flag=value` are the same, and the last one counts. */
export function parseFlags(args: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  let open: string | undefined;
  for (const argument of args) {
    if (open !== undefined && !argument.startsWith('-')) flags.set(open, argument);
    const [name = '', ...value] = argument.split('=');
    if (argument.startsWith('-')) flags.set(name, value.join('='));
    open = argument.startsWith('-') && value.length === 0 ? name : undefined;
  }
  return flags;
}

const compared: readonly (readonly [keyof Sizing, string, string])[] = [
  ['maxModelLen', '--max-model-len', 'spec.load.contextTokens'],
  ['maxNumSeqs', '--max-num-seqs', 'spec.load'],
  ['maxNumBatchedTokens', '--max-num-batched-tokens', 'the default of Modelberth'],
  ['gpuMemoryUtilization', '--gpu-memory-utilization', 'the default of Modelberth'],
];

function listContradictions(stated: StatedSettings, sizing: Sizing): readonly string[] {
  const warnings: string[] = [];
  for (const [field, flag, source] of compared) {
    const author = stated[field];
    if (author === undefined || author === sizing[field]) continue;
    warnings.push(`spec.engine.args sets ${flag} to "${author}" and ${source} gives "${sizing[field]}"; the args win`);
  }
  return warnings;
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
