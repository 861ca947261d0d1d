import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFacts } from '../../model/find-facts.ts';
import type { ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { gib, mib } from '../../units/bytes.ts';
import { completeSettings, countGraphSizes, type EngineSettings, type StatedSettings } from '../engine-settings.ts';
import { parseBuild } from '../engines/engine-build.ts';
import { behaviourOf } from '../engines/vllm-eras.ts';
import { activationBytes } from './activation.ts';
import { hostTerms } from './host.ts';
import { graphBytes, nonTorchBytes } from './outside-torch.ts';
import { weightTerm } from './weights.ts';

function card(productName: string, visibleGib: number) {
  const visibleMemory = visibleGib * gib;
  return { name: productName, productName, vendor: 'NVIDIA' as const, memory: visibleMemory, visibleMemory };
}

const l4 = card('NVIDIA L4', 22.03);

function shape(tensorParallelSize: number, more: Partial<ParallelShape> = {}): ParallelShape {
  return { nodes: 1, acceleratorsPerNode: tensorParallelSize, tensorParallelSize, pipelineParallelSize: 1, ...more };
}

function factsOf(name: string): ModelFacts {
  return findFacts(name, undefined).facts;
}

function settingsFor(facts: ModelFacts, version: string, stated: StatedSettings): EngineSettings {
  return completeSettings(stated, facts, behaviourOf(parseBuild('vLLM', version), facts), l4);
}

function activationGib(name: string, version: string, stated: StatedSettings, ranks = 1): number {
  const facts = factsOf(name);
  const behaviour = behaviourOf(parseBuild('vLLM', version), facts);
  const settings = completeSettings(stated, facts, behaviour, l4);
  return (activationBytes({ facts, shape: shape(ranks), settings, behaviour }) ?? Number.NaN) / gib;
}

/** Peaks that engines logged; the tolerance is the rounding of a log and what identical starts differ by at least. */
const peaks: readonly [string, string, string, StatedSettings, number][] = [
  [
    'c022 one pass of 20,000 tokens without chunks',
    'meta-llama/Llama-3.1-8B-Instruct',
    '0.6 (V0)',
    { maxModelLen: 20_000 },
    2.07,
  ],
  ['c023 one pass of 29,000 tokens', 'meta-llama/Llama-3.1-8B-Instruct', '0.6 (V0)', { maxModelLen: 29_000 }, 2.99],
  [
    'l04 the sampler of 1,024 sequences in 0.11',
    'meta-llama/Llama-3.1-8B-Instruct',
    '0.11.0',
    { maxNumSeqs: 1024 },
    4.76,
  ],
  ['l05 the same of a model of 0.6 billion weights', 'Qwen/Qwen3-0.6B', '0.11.0', { maxNumSeqs: 1024 }, 5.56],
  ['c008 the sampler of 256 sequences', 'Qwen/Qwen3-8B-FP8', '0.11.0', { maxNumSeqs: 256 }, 1.4],
  [
    'h31 the sampler of V0, which sorts all sequences',
    'meta-llama/Llama-3.1-8B-Instruct',
    '0.7 (V0)',
    { maxModelLen: 131_072 },
    1.19,
  ],
];

test.each(peaks)(
  'L16 activationBytes is within 0.15 GiB of the log when it is %s',
  (_name, model, version, stated, logged) => {
    expect(Math.abs(activationGib(model, version, stated) - logged)).toBeLessThan(0.15);
  },
);

/** Peaks of full pictures; what engines take beside the pictures differs by more than for text. */
const encoders: readonly [string, string, string, StatedSettings, number][] = [
  ['f115 Qwen3.5-35B-A3B on one rank', 'Qwen/Qwen3.5-35B-A3B', '0.19.0', { maxNumSeqs: 256 }, 1.9],
  [
    'a047 Qwen3.8-27B with half the pixels, whose bound is left out',
    'Qwen/Qwen3.8-27B',
    '0.22.0',
    { maxNumSeqs: 1 },
    1.68,
  ],
  ['f047 Qwen3-VL-8B with its four levels', 'Qwen/Qwen3-VL-8B-Instruct', '0.29.1', { maxNumSeqs: 256 }, 2.55],
];

test.each(encoders)(
  'L16 activationBytes is within a quarter of a GiB of the log when pictures rule: %s',
  (_name, model, version, stated, logged) => {
    expect(Math.abs(activationGib(model, version, stated) - logged)).toBeLessThan(0.25);
  },
);

test('tensor ranks share the wide layer of an encoder, and repeat the rest of it', () => {
  const of = (ranks: number) => activationGib('Qwen/Qwen3.5-27B', '0.22.0', { maxNumSeqs: 8 }, ranks);
  expect(of(1) - of(4)).toBeCloseTo((16_384 * 4 * 4 * 4304 * 0.75) / gib, 5);
});

test('L18 the sampler of a release that sorts shrinks with the sequences, until the forward pass rules', () => {
  const of = (maxNumSeqs: number) => activationGib('Qwen/Qwen3-8B', '0.11.0', { maxNumSeqs });
  expect(of(1024) - of(16)).toBeGreaterThan(5);
  expect(of(16)).toBe(of(8));
});

test('images that may not be sent, and an encoder that is not loaded, are not profiled', () => {
  const of = (stated: StatedSettings) => activationGib('Qwen/Qwen3.5-27B', '0.22.0', { maxNumSeqs: 8, ...stated });
  expect(of({ imagesDisabled: true })).toBe(of({ languageModelOnly: true }));
  expect(of({}) - of({ imagesDisabled: true })).toBeGreaterThan(0.5);
});

test('an embedding model runs no sampler', () => {
  const facts = { ...factsOf('Qwen/Qwen3-8B'), pooling: true };
  const behaviour = behaviourOf(parseBuild('vLLM', '0.11.0'), facts);
  const settings = completeSettings({ maxNumSeqs: 1024 }, facts, behaviour, l4);
  expect((activationBytes({ facts, shape: shape(1), settings, behaviour }) ?? 0) / gib).toBeLessThan(0.5);
});

function weightsGib(name: string, ranks: ParallelShape, stated: StatedSettings = {}): number {
  const facts = factsOf(name);
  return (weightTerm(facts, ranks, settingsFor(facts, '0.19.0', stated))?.bytes ?? Number.NaN) / gib;
}

/** Weights of a rank that engines logged, in GiB. */
const loaded: readonly [string, string, ParallelShape, StatedSettings, number][] = [
  ['l04 bf16 on one rank', 'meta-llama/Llama-3.1-8B-Instruct', shape(1), {}, 14.99],
  ['l07 bf16 on two ranks', 'Qwen/Qwen3-32B', shape(2), {}, 30.59],
  ['a003 FP8 experts on eight ranks, key-value heads repeated', 'Qwen/Qwen3-235B-A22B-FP8', shape(8), {}, 27.67],
  ['l01 MXFP4 experts, padded from 2880 to 3072', 'openai/gpt-oss-20b', shape(1), {}, 13.47],
  ['l02 the same of 120 billion', 'openai/gpt-oss-120b', shape(1), {}, 64.38],
  ['a012 without its drafter and its encoder', 'Qwen/Qwen3.6-35B-A3B', shape(1), { languageModelOnly: true }, 64.69],
  ['c002 a sparse latent model on four ranks', 'nvidia/GLM-5.2-NVFP4', shape(4), {}, 106.69],
];

test.each(loaded)(
  'L4 weightTerm is within 2%% of what the engine loaded when it is %s',
  (_name, model, ranks, stated, logged) => {
    expect(Math.abs(weightsGib(model, ranks, stated) / logged - 1)).toBeLessThan(0.02);
  },
);

test('expert ranks share experts over data parallel copies, and the dense weights are repeated', () => {
  const model = 'deepseek-ai/DeepSeek-V3';
  const [tensor, expert] = [
    weightsGib(model, shape(8)),
    weightsGib(model, shape(1, { expertParallelSize: 8, dataParallelSize: 8 })),
  ];
  expect(expert).toBeGreaterThan(tensor);
  expect(expert).toBeLessThan(tensor + 40);
});

test('the largest pipeline stage rules: half of the layers, and one end', () => {
  const [whole, half] = [
    weightsGib('Qwen/Qwen3-32B', shape(1)),
    weightsGib('Qwen/Qwen3-32B', shape(1, { pipelineParallelSize: 2 })),
  ];
  expect(Math.abs(half / whole - 0.5)).toBeLessThan(0.02);
});

test('L4 gpustack#645 the bytes of the files count, and the type of the tensors only where there are none', () => {
  const facts: ModelFacts = {
    ...factsOf('Qwen/Qwen2.5-72B-Instruct'),
    quantisation: { method: 'gptq', weightBits: 4 },
  };
  const settings = settingsFor(facts, '0.19.0', {});
  const file = weightTerm({ ...facts, weightBytes: 42e9 }, shape(1), settings);
  const { weightBytes: _bytes, ...unsized } = facts;
  const estimate = weightTerm(unsized, shape(1), settings);
  expect([file?.origin, Math.round((file?.bytes ?? 0) / 1e9), estimate?.origin]).toEqual(['file', 42, 'estimate']);
  expect((estimate?.bytes ?? 0) / 1e9).toBeLessThan(50);
});

test('more tensor ranks never hold more each', () => {
  const names = ['Qwen/Qwen3-32B', 'deepseek-ai/DeepSeek-V3', 'openai/gpt-oss-120b', 'Qwen/Qwen3.5-27B'];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.constantFrom(1, 2, 4), (name, ranks) => {
      expect(weightsGib(name, shape(2 * ranks))).toBeLessThanOrEqual(weightsGib(name, shape(ranks)));
    }),
  );
});

const sizes: readonly [string, number, number | undefined, number][] = [
  ['the default of large accelerators', 1024, undefined, 51],
  ['256 sequences', 256, undefined, 51],
  ['L18 sixteen sequences', 16, undefined, 7],
  ['a cap of eight', 1024, 8, 4],
  ['one sequence', 1, undefined, 2],
];

test.each(sizes)('countGraphSizes counts what is captured for %s', (_name, sequences, cap, count) => {
  expect(countGraphSizes(sequences, cap)).toBe(count);
});

test('L18 graphs of sixteen sequences take a third of those of 256, and eager takes none', () => {
  const facts = factsOf('Qwen/Qwen3-8B');
  const of = (stated: StatedSettings) => graphBytes(facts, shape(1), settingsFor(facts, '0.22.0', stated), false) / gib;
  expect(
    [of({ maxNumSeqs: 256 }), of({ maxNumSeqs: 16 }), of({ eager: true })].map((value) => value.toFixed(2)),
  ).toEqual(['0.56', '0.21', '0.00']);
});

test('c003 a026 runner V2 measures its graphs: 0.23 GiB for the default sizes, next to nothing for four', () => {
  const facts = factsOf('Qwen/Qwen3-8B');
  const of = (maxNumSeqs: number) =>
    graphBytes(facts, shape(1), settingsFor(facts, '0.31.0', { maxNumSeqs }), true) / gib;
  expect([of(256), of(4)].map((value) => value.toFixed(2))).toEqual(['0.23', '0.06']);
});

const outside: readonly [string, number, 'V0' | 'V1', string, number][] = [
  ['one rank', 1, 'V1', 'NVIDIA H100', 0.15],
  ['eight ranks over PCIe', 8, 'V1', 'RTX PRO 6000', 1.2],
  ['eight ranks on a switch (a003, a004, h02)', 8, 'V1', 'NVIDIA H100', 2.2],
  ['sixteen ranks of V0 (c021)', 16, 'V0', 'RTX 3090', 0.25],
  ['memory that the processor shares', 1, 'V1', 'NVIDIA GB10', 2.75],
];

test.each(outside)(
  'nonTorchBytes follows the ranks and their link when it is %s',
  (_name, ranks, runner, name, value) => {
    expect(nonTorchBytes(shape(ranks), runner, card(name, 80)) / gib).toBeCloseTo(value, 5);
  },
);

test('L19 LLMKube#1724 a node needs shared memory for its ranks, memory for its processes, and disk for the files', () => {
  const one = hostTerms(shape(1), 16 * gib);
  const eight = hostTerms(shape(8), 640 * gib);
  expect(one.sharedMemory).toBeGreaterThan(64 * mib);
  expect([one.sharedMemory, one.memory, one.disk].map((bytes) => bytes / gib)).toEqual([1, 8, 21]);
  expect([eight.sharedMemory, eight.memory, eight.disk].map((bytes) => bytes / gib)).toEqual([9, 47.5, 645]);
});
