import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ArgumentsQuestion, explainArguments, gangArguments, listArguments } from './list-arguments.ts';

const question: ArgumentsQuestion = {
  type: 'vLLM',
  acceleratorName: 'L4',
  model: { name: 'meta-llama/Llama-3.1-8B-Instruct' },
  load: { contextTokens: 16_384, concurrentRequests: 2 },
  sizing: { gpuMemoryUtilization: 0.9, maxModelLen: 16_384, maxNumSeqs: 8, maxNumBatchedTokens: 2048 },
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  servedName: 'chat/llama',
  authorArgs: [],
};

const computed = [
  '--gpu-memory-utilization=0.9',
  '--kv-cache-dtype=auto',
  '--max-model-len=16384',
  '--max-num-batched-tokens=2048',
  '--max-num-seqs=8',
  '--override-generation-config={"max_new_tokens":4096}',
  '--pipeline-parallel-size=1',
  '--port=8000',
  '--served-model-name=chat/llama',
  '--tensor-parallel-size=1',
  '--uvicorn-log-level=warning',
];

/** The computed flags with one of them written by the author. */
function replaced(flag: string, ...written: readonly string[]): readonly string[] {
  return [...computed.filter((argument) => !argument.startsWith(`${flag}=`)), ...written];
}

const table: readonly [string, Partial<ArgumentsQuestion>, readonly string[]][] = [
  ['L18 nothing is written by the author', {}, computed],
  [
    'L17 L32 the claim bounds the output',
    { load: { ...question.load, maxOutputTokens: 512 } },
    replaced('--override-generation-config', '--override-generation-config={"max_new_tokens":512}'),
  ],
  [
    'L17 the default bound is a quarter of the context, in whole tokens',
    { load: { ...question.load, contextTokens: 257 } },
    replaced('--override-generation-config', '--override-generation-config={"max_new_tokens":64}'),
  ],
  [
    'L9 the shape is a gang of two nodes of four',
    { shape: { nodes: 2, acceleratorsPerNode: 4, tensorParallelSize: 4, pipelineParallelSize: 2 } },
    [
      ...replaced('--tensor-parallel-size', '--tensor-parallel-size=4').filter((one) => !one.includes('pipeline')),
      '--pipeline-parallel-size=2',
    ],
  ],
  [
    'the checkpoint is pinned',
    { model: { ...question.model, revision: '0e9e39f' } },
    [...computed, '--revision=0e9e39f'],
  ],
  [
    'the author adds a flag without a value',
    { authorArgs: ['--enable-prefix-caching'] },
    [...computed, '--enable-prefix-caching'],
  ],
  [
    'L18 the author replaces a computed flag with an equals sign',
    { authorArgs: ['--max-num-seqs=64'] },
    replaced('--max-num-seqs', '--max-num-seqs=64'),
  ],
  [
    'L18 the author replaces a computed flag in two words',
    { authorArgs: ['--max-num-seqs', '64'] },
    replaced('--max-num-seqs', '--max-num-seqs 64'),
  ],
  [
    'the author writes one flag twice, so that the last counts as it does for vLLM',
    { authorArgs: ['--max-num-seqs', '64', '--max-num-seqs=32'] },
    replaced('--max-num-seqs', '--max-num-seqs=32'),
  ],
  [
    'a value in two words has an equals sign',
    { authorArgs: ['--lora-modules', 'sql=/adapters/sql'] },
    [...computed, '--lora-modules sql=/adapters/sql'],
  ],
  [
    'a value is JSON',
    { authorArgs: ['--compilation-config', '{"level": 3}', '--hf-overrides={"a": "b=c"}'] },
    [...computed, '--compilation-config {"level": 3}', '--hf-overrides={"a": "b=c"}'],
  ],
  [
    'a value in two words is a negative number',
    { authorArgs: ['--seed', '-1', '--enable-prefix-caching'] },
    [...computed, '--seed -1', '--enable-prefix-caching'],
  ],
  ['a short flag is written in two words', { authorArgs: ['-O', '3'] }, [...computed, '-O 3']],
  [
    'L18 the author writes underscores and a short name, which replace the computed flags all the same',
    { authorArgs: ['--max_num_seqs=64', '-tp', '2'] },
    [...replaced('--max-num-seqs', '--max_num_seqs=64').filter((one) => !one.startsWith('--tensor')), '-tp 2'],
  ],
  [
    'R5 graphs are captured for no more than the sequences',
    { sizing: { ...question.sizing, largestGraph: 8 } },
    [...computed, '--max-cudagraph-capture-size=8'],
  ],
  [
    'the checkpoint says that its cache is fp8',
    { sizing: { ...question.sizing, cacheFormat: 'fp8' } },
    replaced('--kv-cache-dtype', '--kv-cache-dtype=fp8'),
  ],
  [
    'the author gives one flag several values, which stay together and in order',
    { authorArgs: ['--served-model-name', 'chat/llama', 'llama', '--enable-lora'] },
    [...replaced('--served-model-name', '--served-model-name chat/llama llama'), '--enable-lora'],
  ],
  [
    'the values of one flag have equals signs',
    { authorArgs: ['--lora-modules', 'b=/b', 'a=/a'] },
    [...computed, '--lora-modules b=/b a=/a'],
  ],
];

/** Each flag with the words that follow it, as one text. */
function groupFlags(words: readonly string[]): readonly string[] {
  const groups: string[][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (/^--?[A-Za-z]/.test(word) || last === undefined) groups.push([word]);
    else last.push(word);
  }
  return groups.map((group) => group.join(' '));
}

test.each(table)('listArguments writes the model first and then each flag once when %s', (_name, changed, flags) => {
  const [model, ...rest] = listArguments({ ...question, ...changed });
  expect([model, ...groupFlags(rest).toSorted()]).toEqual(['meta-llama/Llama-3.1-8B-Instruct', ...[...flags].sort()]);
});

/** Flags of the fit and of the shape, as an author might also write them. */
const someAuthorArgs = fc
  .array(
    fc.record({
      flag: fc.constantFrom('--max-num-seqs', '--max-model-len', '--tensor-parallel-size', '--seed', '--dtype'),
      value: fc.nat({ max: 9999 }).map(String),
      spelling: fc.constantFrom('equals', 'words'),
    }),
    { maxLength: 6 },
  )
  .map((flags) => ({
    flags,
    args: flags.flatMap(({ flag, value, spelling }) => (spelling === 'equals' ? [`${flag}=${value}`] : [flag, value])),
  }));
const someShape = fc.record({
  nodes: fc.integer({ min: 1, max: 4 }),
  acceleratorsPerNode: fc.integer({ min: 1, max: 8 }),
  tensorParallelSize: fc.integer({ min: 1, max: 8 }),
  pipelineParallelSize: fc.integer({ min: 1, max: 4 }),
});

/** The value of each flag, however it is spelt. */
function valuesOf(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    groupFlags(words.slice(1)).map((group) => {
      const [name = '', ...value] = group.split(/[= ]/);
      return [name, value.join('=')];
    }),
  );
}

test('L18 no flag is there twice, the last that the author wrote wins, and every other one is computed', () => {
  fc.assert(
    fc.property(someAuthorArgs, someShape, ({ flags, args }, shape) => {
      const listed = listArguments({ ...question, shape, authorArgs: args });
      const values = valuesOf(listed);
      expect(values.size).toBe(groupFlags(listed).length - 1);
      const written = new Map(flags.map(({ flag, value }) => [flag, value]));
      const computedValues = valuesOf(listArguments({ ...question, shape }));
      expect([...values].sort()).toEqual([...new Map([...computedValues, ...written])].sort());
    }),
  );
});

test('L9 the parallel sizes are those of the shape', () => {
  fc.assert(
    fc.property(someShape, (shape) => {
      const values = valuesOf(listArguments({ ...question, shape }));
      expect([values.get('--tensor-parallel-size'), values.get('--pipeline-parallel-size')]).toEqual([
        String(shape.tensorParallelSize),
        String(shape.pipelineParallelSize),
      ]);
    }),
  );
});

test('S3 the order in which the author writes different flags changes nothing', () => {
  const flags = ['--seed=1', '--dtype=half', '--enable-prefix-caching', '--max-num-seqs=16'];
  fc.assert(
    fc.property(fc.shuffledSubarray(flags, { minLength: flags.length }), (shuffled) => {
      expect(listArguments({ ...question, authorArgs: shuffled })).toEqual(
        listArguments({ ...question, authorArgs: flags }),
      );
    }),
  );
});

test('L17 the output is bounded to at least one token and never above a quarter of the context by default', () => {
  fc.assert(
    fc.property(fc.integer({ min: 256, max: 2_000_000 }), (contextTokens) => {
      const config = valuesOf(listArguments({ ...question, load: { ...question.load, contextTokens } })).get(
        '--override-generation-config',
      );
      const { max_new_tokens: bound } = JSON.parse(config ?? '{}') as { max_new_tokens?: number };
      expect(bound !== undefined && Number.isInteger(bound) && bound >= 1 && bound * 4 <= contextTokens).toBe(true);
    }),
  );
});

const sglang: ArgumentsQuestion = {
  ...question,
  type: 'SGLang',
  sizing: { ...question.sizing, gpuMemoryUtilization: 0.854, largestGraph: 8 },
};

test('L18 listArguments writes the same settings by the names that SGLang has for them', () => {
  expect(listArguments(sglang)).toEqual([
    '--chunked-prefill-size=2048',
    '--context-length=16384',
    '--cuda-graph-max-bs=8',
    '--enable-metrics',
    '--host=0.0.0.0',
    '--kv-cache-dtype=auto',
    '--log-level-http=warning',
    '--max-running-requests=8',
    '--mem-fraction-static=0.854',
    '--model-path=meta-llama/Llama-3.1-8B-Instruct',
    '--pipeline-parallel-size=1',
    '--port=8000',
    '--preferred-sampling-params={"max_new_tokens":4096}',
    '--served-model-name=chat/llama',
    '--tensor-parallel-size=1',
  ]);
});

test('L18 the author replaces a flag of SGLang by any of its names', () => {
  const listed = listArguments({ ...sglang, authorArgs: ['--tp', '2', '--mem-fraction-static=0.8'] });
  expect(listed.filter((word) => /tensor|^--tp|mem-fraction/.test(word))).toEqual([
    '--mem-fraction-static=0.8',
    '--tp',
  ]);
});

test('every flag of the command line has one explanation, and the author has those that he wrote', () => {
  for (const asked of [question, sglang]) {
    const explained = explainArguments({ ...asked, authorArgs: ['--seed=1', '--port=9000'] });
    const words = groupFlags(listArguments({ ...asked, authorArgs: ['--seed=1', '--port=9000'] }));
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split(/[= ]/)[0]);
    expect(explained.map(({ flag }) => flag)).toEqual(flags);
    expect(explained.filter(({ reason }) => reason.length < 10)).toEqual([]);
    expect(explained.filter(({ setBy }) => setBy === 'author').map(({ flag }) => flag)).toEqual(['--port', '--seed']);
  }
});

const gangs: readonly [ArgumentsQuestion['type'], 'leader' | 'worker', readonly string[]][] = [
  [
    'vLLM',
    'worker',
    [
      '--distributed-executor-backend=mp',
      '--headless',
      '--master-addr=$(LWS_LEADER_ADDRESS)',
      '--master-port=29500',
      '--nnodes=2',
      '--node-rank=$(LWS_WORKER_INDEX)',
    ],
  ],
  ['SGLang', 'leader', ['--dist-init-addr=$(LWS_LEADER_ADDRESS):29500', '--nnodes=2', '--node-rank=0']],
  [
    'SGLang',
    'worker',
    ['--dist-init-addr=$(LWS_LEADER_ADDRESS):29500', '--nnodes=2', '--node-rank=$(LWS_WORKER_INDEX)'],
  ],
];

test.each(gangs)('L9 the ranks of a gang of %s find each other as its %s', (type, role, expected) => {
  expect(gangArguments({ engine: { type }, shape: { nodes: 2 } }, role)).toEqual(expected);
});
