import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gib } from '../units/bytes.ts';
import { countGraphSizes } from './engine-settings.ts';
import { parseBuild } from './engines/engine-build.ts';
import { type EngineSizingQuestion, sizeForEngine } from './size-for-engine.ts';

const question: EngineSizingQuestion = {
  load: { contextTokens: 16_384, concurrentRequests: 20 },
  facts: {},
  accelerator: {
    name: 'L40S',
    productName: 'NVIDIA L40S',
    vendor: 'NVIDIA',
    memory: 48 * gib,
    visibleMemory: 44.4 * gib,
  },
  shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
  build: parseBuild('vLLM', '0.30.0'),
  args: [],
};

const caps: readonly [string, Partial<EngineSizingQuestion>, number | undefined][] = [
  ['20 requests make 32 sequences', {}, 32],
  ['the load is light, so that 8 sequences are held', { load: { contextTokens: 4096, concurrentRequests: 1 } }, 8],
  [
    'three tokens are drafted for each',
    { args: ['--speculative-config={"method":"mtp","num_speculative_tokens":3}'] },
    128,
  ],
  [
    'there are more sequences than the engine captures',
    { load: { contextTokens: 4096, concurrentRequests: 700 } },
    512,
  ],
  ['the image is older than the flag', { build: parseBuild('vLLM', '0.11.0') }, undefined],
  ['the image does not tell its version', { build: parseBuild('vLLM', undefined) }, undefined],
  ['the author turns graphs off', { args: ['--enforce-eager'] }, undefined],
  ['the author lists the sizes', { args: ['--compilation-config', '{"cudagraph_capture_sizes":[1,2]}'] }, undefined],
  ['the engine is SGLang', { build: parseBuild('SGLang', '0.5.6') }, 32],
];

test.each(caps)(
  'R5 the largest graph holds every sequence and no more than the next size when %s',
  (_n, changed, cap) => {
    expect(sizeForEngine({ ...question, ...changed }).largestGraph).toBe(cap);
  },
);

test('R5 no smaller size that is captured would hold the sequences', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (concurrentRequests) => {
      const { largestGraph = 0, maxNumSeqs } = sizeForEngine({
        ...question,
        load: { contextTokens: 4096, concurrentRequests },
      });
      expect(largestGraph).toBeGreaterThanOrEqual(Math.min(512, maxNumSeqs));
      expect(countGraphSizes(maxNumSeqs, largestGraph) - countGraphSizes(maxNumSeqs, largestGraph - 1)).toBe(1);
    }),
  );
});

test('SGLang gets the share that it would choose itself for the chunk and the graphs, and vLLM nine tenths', () => {
  const of = (type: 'vLLM' | 'SGLang') => sizeForEngine({ ...question, build: parseBuild(type, undefined) });
  // 512 MiB + 1.5 MiB x 2048 + 1/8 GiB + 2 MiB x 32 are 3.6875 GiB of 44.4.
  expect([of('vLLM').gpuMemoryUtilization, of('SGLang').gpuMemoryUtilization]).toEqual([0.9, 0.917]);
});

test('the format of the cache is that of the checkpoint, where it says one', () => {
  const facts = { quantisation: { method: 'nvfp4', weightBits: 4, cachePrecision: 'fp8' as const } };
  expect([sizeForEngine(question).cacheFormat, sizeForEngine({ ...question, facts }).cacheFormat]).toEqual([
    undefined,
    'fp8',
  ]);
});
