import { expect, test } from 'vitest';
import { parseFlags, readAuthorSettings } from './author-settings.ts';
import type { Sizing } from './verdict.ts';

const sizing = { gpuMemoryUtilization: 0.9, maxModelLen: 16_384, maxNumSeqs: 8, maxNumBatchedTokens: 2048 };

const shape = { nodes: 1, acceleratorsPerNode: 2, tensorParallelSize: 2, pipelineParallelSize: 1 };

function read(args: readonly string[], type: 'vLLM' | 'SGLang' = 'vLLM', more: Partial<Sizing> = {}) {
  return readAuthorSettings({ args, type, shape, sizing: { ...sizing, ...more } });
}

const flags: readonly [string, readonly string[], Record<string, string>][] = [
  ['name and value are one word', ['--max-num-seqs=64'], { '--max-num-seqs': '64' }],
  ['name and value are two words', ['--max-num-seqs', '64'], { '--max-num-seqs': '64' }],
  ['a flag has no value', ['--enforce-eager', '--max-num-seqs=1'], { '--enforce-eager': '', '--max-num-seqs': '1' }],
  ['a flag is written twice', ['--max-num-seqs=64', '--max-num-seqs=8'], { '--max-num-seqs': '8' }],
  ['a name has underscores', ['--max_num_seqs', '64'], { '--max-num-seqs': '64' }],
  ['a name is short', ['-tp', '2'], { '--tensor-parallel-size': '2' }],
  ['a value has an equals sign', ['--override={"a=b":1}'], { '--override': '{"a=b":1}' }],
];

test.each(flags)('parseFlags reads each flag once when %s', (_name, args, expected) => {
  expect(Object.fromEntries(parseFlags(args))).toEqual(expected);
});

const settings: readonly [string, readonly string[], object][] = [
  ['tokens are written with k for a thousand', ['--max-model-len=32k'], { maxModelLen: 32_000 }],
  ['tokens are written with K for 1024', ['--max-model-len=32K'], { maxModelLen: 32_768 }],
  ['the cache is fp8 of some kind', ['--kv-cache-dtype=fp8_e4m3'], { cacheFormat: 'fp8' }],
  ['the cache is automatic', ['--kv-cache-dtype=auto'], { cacheFormat: undefined }],
  ['a drafter proposes', ['--speculative-config={"method":"mtp","num_speculative_tokens":3}'], { draftTokens: 3 }],
  [
    'a drafter of its own proposes',
    ['--speculative-config={"method":"dflash","model":"poolside/Laguna-S-2.1-DFlash-INT4","num_speculative_tokens":7}'],
    { draftTokens: 7, drafter: { layers: 6, keyValueHeads: 8 } },
  ],
  [
    'a drafter that nobody knows proposes',
    ['--speculative-config={"method":"eagle3","model":"x/y"}'],
    { draftTokens: undefined, unknownDrafter: 'x/y' },
  ],
  [
    'proposals come from the text so far',
    ['--speculative-config={"method":"ngram","num_speculative_tokens":4}'],
    { draftTokens: 4, drafter: { layers: 0, weightBytes: 0 } },
  ],
  ['the drafter is no JSON', ['--speculative-config=mtp', '--enforce-eager'], { eager: true }],
  ['graphs are off', ['--enforce-eager'], { eager: true }],
  ['the prefix cache is off', ['--no-enable-prefix-caching'], { prefixCaching: false }],
  ['SGLang names its own fraction', ['--mem-fraction-static=0.85'], { gpuMemoryUtilization: 0.85 }],
  ['a value is no number', ['--max-num-seqs=many'], { maxNumSeqs: undefined }],
];

test.each(settings)('readAuthorSettings understands the arguments when %s', (_name, args, expected) => {
  expect(read(args).stated).toMatchObject(expected);
});

test('L18 the author wins, and a contradiction names both values', () => {
  expect(read(['--max-num-seqs=64', '--max-model-len=16384']).warnings).toEqual([
    'spec.engine.args sets --max-num-seqs to "64" and spec.load gives "8"; the args win',
  ]);
});

const contradictions: readonly [string, readonly string[], 'vLLM' | 'SGLang', Partial<Sizing>, readonly string[]][] = [
  [
    'the parallel size is another one than that of the shape',
    ['-tp=4'],
    'vLLM',
    {},
    ['spec.engine.args sets --tensor-parallel-size to "4" and the shape gives "2"; the args win'],
  ],
  [
    'the cache has another format than the checkpoint says',
    ['--kv-cache-dtype=bfloat16'],
    'vLLM',
    { cacheFormat: 'fp8' },
    ['spec.engine.args sets --kv-cache-dtype to "bf16" and the checkpoint gives "fp8"; the args win'],
  ],
  [
    'graphs are captured for more than is needed',
    ['--max-cudagraph-capture-size=512'],
    'vLLM',
    { largestGraph: 8 },
    ['spec.engine.args sets --max-cudagraph-capture-size to "512" and the number of sequences gives "8"; the args win'],
  ],
  [
    'SGLang has its own names',
    ['--context-length=4096'],
    'SGLang',
    {},
    ['spec.engine.args sets --context-length to "4096" and spec.load.contextTokens gives "16384"; the args win'],
  ],
  ['the values are the same', ['--tensor-parallel-size=2', '--max-num-seqs=8'], 'vLLM', {}, []],
];

test.each(contradictions)('a contradiction names both values when %s', (_name, args, type, more, warnings) => {
  expect(read(args, type, more).warnings).toEqual(warnings);
});
