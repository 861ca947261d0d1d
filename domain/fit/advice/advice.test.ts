import { expect, test } from 'vitest';
import { listAccelerators, toAccelerator } from '../../hardware/find-accelerator.ts';
import { findFacts } from '../../model/find-facts.ts';
import { gib } from '../../units/bytes.ts';
import { checkFit, type FitQuestion } from '../check-fit.ts';
import { explainFlags } from './explain-flags.ts';
import { memoryFlags } from './memory-flags.ts';
import { nearestChanges } from './nearest-changes.ts';

const accelerators = listAccelerators()
  .filter(({ vendor }) => vendor === 'NVIDIA')
  .map(toAccelerator);

const question: FitQuestion = {
  facts: findFacts('meta-llama/Llama-3.1-8B-Instruct', undefined).facts,
  accelerator: { name: 'L4', productName: 'NVIDIA L4', vendor: 'NVIDIA', memory: 22 * gib, visibleMemory: 22 * gib },
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  load: { contextTokens: 65_536, concurrentRequests: 4 },
};

test('nearestChanges names changes that each would do, the nearest first, and every one was checked', () => {
  const changes = nearestChanges({ question, accelerators });
  expect(changes.map(({ change }) => change)).toEqual([
    expect.stringMatching(/^set spec\.load\.contextTokens to \d+$/),
    'add --kv-cache-dtype=fp8 to spec.engine.args',
    'take 2 accelerators with tensor parallel size 2',
    'take 4 accelerators with tensor parallel size 4',
    'take 8 accelerators with tensor parallel size 8',
    expect.stringMatching(/^allow a class with /),
  ]);
  expect(changes.every(({ verdict }) => verdict.concurrency >= 1)).toBe(true);
});

test('vllm#2418 the advised context fits, and the engine is never started with a longer one', () => {
  const [first] = nearestChanges({ question, accelerators });
  const tokens = Number(/\d+/.exec(first?.change ?? '')?.[0]);
  const at = (contextTokens: number) => checkFit({ ...question, load: { ...question.load, contextTokens } }).verdict;
  expect([at(tokens), at(tokens + 512)]).toEqual(['Fit', 'Misfit']);
});

test('nearestChanges has nothing to say where no change helps', () => {
  const facts = { ...question.facts, weightBytes: 5000 * gib };
  expect(nearestChanges({ question: { ...question, facts }, accelerators })).toEqual([]);
});

const sizing = { gpuMemoryUtilization: 0.9, maxModelLen: 65_536, maxNumSeqs: 8, maxNumBatchedTokens: 2048 };

test('L18 each flag has its reason, and one that the author wrote names what was computed', () => {
  const flags = explainFlags(memoryFlags(sizing, question.load, 'vLLM'), ['--max-num-seqs=64']);
  expect(flags.map(({ flag, value, setBy }) => `${flag}=${value} ${setBy}`)).toEqual([
    '--max-model-len=65536 computed',
    '--max-num-seqs=64 author',
    '--max-num-batched-tokens=2048 computed',
    '--gpu-memory-utilization=0.9 computed',
    '--kv-cache-dtype=auto computed',
    '--override-generation-config={"max_new_tokens":16384} computed',
  ]);
  expect(flags[1]?.reason).toMatch(/^spec\.engine\.args sets it; "8" was computed: /);
  expect(flags.every(({ reason }) => reason.length > 20)).toBe(true);
});
