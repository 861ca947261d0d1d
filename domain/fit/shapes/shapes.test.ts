import { expect, test } from 'vitest';
import { findAccelerator, toAccelerator } from '../../hardware/find-accelerator.ts';
import type { KnownAccelerator } from '../../hardware/known-accelerator.ts';
import { findFacts } from '../../model/find-facts.ts';
import type { ModelFacts } from '../../model/model-facts.ts';
import { acceleratorCount, formatShape } from '../../shape/shape.ts';
import { enumerateShapes } from './enumerate-shapes.ts';
import { estimateSpeed } from './estimate-speed.ts';
import { rankShapes } from './rank-shapes.ts';
import { refuseSizes } from './refuse-sizes.ts';

function shape(tensorParallelSize: number, pipelineParallelSize = 1, expertParallelSize?: number) {
  const sizes = { nodes: 1, acceleratorsPerNode: tensorParallelSize, tensorParallelSize, pipelineParallelSize };
  return expertParallelSize === undefined ? sizes : { ...sizes, expertParallelSize };
}

const heads: ModelFacts = { attentionHeads: 64, keyValueHeads: 8, intermediateSize: 1536 };
const blocks: ModelFacts = { ...heads, quantisation: { method: 'fp8', weightBits: 8, blockSize: 128 } };

const rows: readonly [string, ModelFacts, ReturnType<typeof shape>, readonly string[]][] = [
  ['everything divides', heads, shape(8), []],
  [
    'gpustack#2259 three accelerators would be enough by memory',
    { attentionHeads: 32, keyValueHeads: 8 },
    shape(3),
    [
      '32 attention heads cannot be divided by 3 ranks',
      '8 key-value heads neither divide 3 ranks nor are divided by them',
    ],
  ],
  [
    'a latent has no key-value heads to divide',
    { attentionHeads: 64, keyValueHeads: 3, latent: { rank: 512, ropeSize: 64 } },
    shape(8),
    [],
  ],
  [
    'experts cannot be shared out',
    { experts: { count: 60, perToken: 4 } },
    shape(1, 1, 8),
    ['60 experts cannot be divided by 8 expert ranks'],
  ],
  [
    'L5 vllm#15959 a shard holds no whole number of quantised blocks',
    blocks,
    shape(8),
    ['a shard of 192 holds no whole number of quantised blocks of 128'],
  ],
  ['a shard holds whole blocks', blocks, shape(4), []],
  ['there are more stages than layers', { layers: 2 }, shape(1, 4), ['4 stages are more than the 2 layers']],
];

test.each(rows)('refuseSizes says why an engine cannot split a model when %s', (_name, facts, sizes, reasons) => {
  expect(refuseSizes(facts, sizes)).toEqual(reasons);
});

test('L9 enumerateShapes offers one node of two and two nodes of one, and keeps why others are refused', () => {
  const { legal, refused } = enumerateShapes({ attentionHeads: 40, keyValueHeads: 8, layers: 48 });
  const words = legal.map(formatShape);
  expect(words).toEqual(expect.arrayContaining(['1x2-tp2-pp1', '2x1-tp1-pp2', '4x8-tp8-pp4']));
  expect(refused).toEqual([]);
  expect(enumerateShapes({ attentionHeads: 6 }).refused.map(({ shape: sizes }) => sizes.tensorParallelSize)).toContain(
    4,
  );
});

function known(name: string): KnownAccelerator {
  const found = findAccelerator(name);
  if (found === undefined) throw new Error(`the catalogue lacks ${name}`);
  return found;
}

test('rankShapes lists only shapes that hold the load, fewest accelerators first', () => {
  const l40s = known('L40S');
  const question = {
    facts: findFacts('Qwen/Qwen3-32B', undefined).facts,
    accelerator: toAccelerator(l40s),
    shape: shape(1),
    load: { contextTokens: 16_384, concurrentRequests: 2 },
  };
  const ranked = rankShapes({ question, known: l40s });
  const counts = ranked.map((one) => acceleratorCount(one.shape));
  expect(counts).toEqual([...counts].sort((left, right) => left - right));
  expect(counts[0]).toBe(2);
  expect(ranked.every(({ verdict, speed }) => verdict.concurrency >= 1 && speed !== undefined)).toBe(true);
});

test('the estimate of Llama-3.1-8B on an A100 is near the 87 tokens a second and 140 ms that were measured', () => {
  const facts = findFacts('meta-llama/Llama-3.1-8B-Instruct', undefined).facts;
  const speed = estimateSpeed({
    facts,
    accelerator: known('A100-80GB'),
    shape: shape(1),
    weights: 16e9,
    cachePerRequest: 2035 * 131_072,
    requests: 1,
  });
  expect(Math.abs((speed?.decodeTokensPerSecond ?? 0) / 87 - 1)).toBeLessThan(0.15);
  expect(Math.abs(2035 / (speed?.promptTokensPerSecond ?? 1) / 0.14 - 1)).toBeLessThan(0.25);
});

test('a mixture of experts reads more of them for a larger batch, and more requests never make fewer tokens', () => {
  const facts = findFacts('Qwen/Qwen3-30B-A3B', undefined).facts;
  const rates = [1, 4, 16, 64].map(
    (requests) =>
      estimateSpeed({
        facts,
        accelerator: known('H100'),
        shape: shape(1),
        weights: 61e9,
        cachePerRequest: 1e8,
        requests,
      })?.decodeTokensPerSecond ?? 0,
  );
  expect(rates).toEqual([...rates].sort((left, right) => left - right));
  expect((rates[1] ?? 0) / (rates[0] ?? 1)).toBeLessThan(4);
});
