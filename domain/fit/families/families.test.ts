import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDrafter } from '../../model/find-drafter.ts';
import { findFacts } from '../../model/find-facts.ts';
import type { CacheFormat, ModelFacts } from '../../model/model-facts.ts';
import type { ParallelShape } from '../../shape/parallel-shape.ts';
import { gib } from '../../units/bytes.ts';
import { completeSettings, type StatedSettings } from '../engine-settings.ts';
import { parseBuild } from '../engines/engine-build.ts';
import { behaviourOf } from '../engines/vllm-eras.ts';
import { blocksForRequest, type CacheLayout, groupSize, isLayout } from './cache-layout.ts';
import { layOutCache } from './families.ts';

const accelerator = {
  name: 'any',
  productName: 'any',
  vendor: 'NVIDIA' as const,
  memory: 80 * gib,
  visibleMemory: 80 * gib,
};

function shape(tensorParallelSize: number, pipelineParallelSize = 1): ParallelShape {
  return { nodes: 1, acceleratorsPerNode: tensorParallelSize, tensorParallelSize, pipelineParallelSize };
}

function layOut(facts: ModelFacts, ranks: ParallelShape = shape(1), stated: StatedSettings = {}): CacheLayout {
  const behaviour = behaviourOf(parseBuild('vLLM', '0.19.0'), facts);
  const settings = completeSettings(stated, facts, behaviour, accelerator);
  const answer = layOutCache({ facts, shape: ranks, settings });
  if (!isLayout(answer)) throw new Error(`unknown ${answer.missing.join(', ')}`);
  return answer;
}

function factsOf(name: string): ModelFacts {
  return findFacts(name, undefined).facts;
}

/** fit.md 2.3 and logs: the tokens of one block. */
const blocks: readonly [string, string, number, CacheFormat, number, number][] = [
  ['Qwen3.5-35B-A3B in bf16 (a012)', 'Qwen/Qwen3.5-35B-A3B', 1, 'bf16', 0, 1056],
  ['Qwen3.5-35B-A3B in fp8 (c001)', 'Qwen/Qwen3.5-35B-A3B', 1, 'fp8', 0, 2096],
  ['Qwen3.8-27B in bf16 (a033)', 'Qwen/Qwen3.8-27B', 1, 'bf16', 0, 784],
  ['Qwen3.8-27B in fp8 (a047)', 'Qwen/Qwen3.8-27B', 1, 'fp8', 0, 1568],
  ['Qwen3.8-27B in fp8 with a drafter of 3 (a031)', 'Qwen/Qwen3.8-27B', 1, 'fp8', 3, 1600],
  ['Qwen3.8-27B in fp8 with a drafter of 6 (a026)', 'Qwen/Qwen3.8-27B', 1, 'fp8', 6, 1632],
  ['Qwen3.5-9B on four ranks (a076)', 'Qwen/Qwen3.5-9B', 4, 'bf16', 0, 528],
  [
    'Nemotron-3-Super in fp8 with a drafter of 3 (a011)',
    'nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4',
    1,
    'fp8',
    3,
    8432,
  ],
];

test.each(blocks)(
  'L16 the block of a linear hybrid holds one state when it is %s',
  (_n, name, ranks, cacheFormat, draftTokens, tokens) => {
    const layout = layOut(factsOf(name), shape(ranks), { cacheFormat, draftTokens });
    expect(layout.groups[0]?.blockTokens).toBe(tokens);
  },
);

/** Bytes of one token on one rank, by hand (fit.md 2). */
const perToken: readonly [string, string, ParallelShape, StatedSettings, number][] = [
  ['grouped queries', 'meta-llama/Llama-3.1-8B-Instruct', shape(1), {}, 131_072],
  ['grouped queries over eight ranks', 'meta-llama/Llama-3.1-8B-Instruct', shape(8), {}, 16_384],
  ['fewer heads than ranks, so that they are repeated', 'Qwen/Qwen3-235B-A22B', shape(8), {}, 94 * 256 * 2],
  ['stages, of which the largest rules', 'Qwen/Qwen3-235B-A22B', shape(1, 4), {}, 24 * 4 * 256 * 2],
  ['a latent, which no rank shares', 'moonshotai/Kimi-K2-Thinking', shape(8), {}, 70_272],
  ['a latent in fp8', 'deepseek-ai/DeepSeek-V3', shape(8), { cacheFormat: 'fp8' }, 35_136],
  ['a sparse latent in bf16 (h02)', 'zai-org/GLM-5.1-FP8', shape(8), {}, 78 * 1284],
  ['a sparse latent in fp8 (a017)', 'nvidia/GLM-5.1-NVFP4', shape(8), { cacheFormat: 'fp8' }, 78 * 788],
  [
    'a sparse latent with a drafter (a018)',
    'nvidia/GLM-5.1-NVFP4',
    shape(8),
    { cacheFormat: 'fp8', draftTokens: 1 },
    79 * 788,
  ],
  ['nvfp4', 'Qwen/Qwen3-8B', shape(1), { cacheFormat: 'nvfp4' }, 36 * 8 * 256 * 0.5625],
];

test.each(perToken)('L16 a token takes what the family says when it is %s', (_name, model, ranks, stated, bytes) => {
  const { blockBytes, groups } = layOut(factsOf(model), ranks, stated);
  expect(blockBytes / (groups[0]?.blockTokens ?? 1)).toBe(bytes);
});

test('layers that share an indexer keep no keys for it from 0.25 on', () => {
  const facts = factsOf('nvidia/GLM-5.2-NVFP4');
  const bytes = (version: string) => {
    const settings = completeSettings({}, facts, behaviourOf(parseBuild('vLLM', version), facts), accelerator);
    const answer = layOutCache({ facts, shape: shape(8), settings });
    return isLayout(answer) ? answer.blockBytes / 64 : answer;
  };
  expect([bytes('0.24.0'), bytes('0.25.0')]).toEqual([78 * 788, 78 * 656 + 21 * 132]);
});

test('context parallel ranks hold a part of the tokens each', () => {
  const facts = factsOf('moonshotai/Kimi-K2-Thinking');
  const [one, eight] = [layOut(facts, shape(8)), layOut(facts, shape(8), { contextParallelSize: 8 })];
  expect([eight.blockBytes, eight.groups[0]?.blockTokens]).toEqual([one.blockBytes, 8 * 64]);
});

test('L16 gpustack#2101 a sliding hybrid pays for its windows and not for its whole context', () => {
  const facts = factsOf('google/gemma-3-27b-it');
  const layout = layOut(facts, shape(1), { maxModelLen: 131_072 });
  const bytes = blocksForRequest(layout, 128_000, 2048) * layout.blockBytes;
  const allFull = 62 * 16 * 256 * 2 * 128_000;
  expect(bytes).toBeLessThan(0.3 * allFull);
});

test('kaito#2302 a linear hybrid pays for one state of each sequence beside its tokens', () => {
  const layout = layOut(factsOf('nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16'));
  const [tokens, states] = layout.groups;
  expect([tokens?.kind, states?.kind, states?.bound]).toEqual(['tokens', 'state', 1]);
  expect(blocksForRequest(layout, 1, 2048)).toBe((tokens?.count ?? 0) + (states?.count ?? 0));
});

/** Facts of a model whose claim says that none of its layers keeps a cache. */
const cacheless: readonly [string, ModelFacts][] = [
  ['every layer attends in full', { ...factsOf('meta-llama/Llama-3.1-8B-Instruct'), cacheLayers: { full: 0 } }],
  ['it slides', { ...factsOf('XiaomiMiMo/MiMo-V2.6-Flash'), cacheLayers: { full: 0, sliding: 0 } }],
  ['it is linear', { ...factsOf('Qwen/Qwen3.8-27B'), cacheLayers: { full: 0, linear: 0 } }],
];

test.each(cacheless)(
  'L4 a cache without a layer would hold an endless number of tokens, so the fact is asked for: %s',
  (_name, facts) => {
    expect(() => layOut(facts)).toThrow('unknown spec.model.facts.cacheLayers');
  },
);

test('an encoder-decoder model charges the output of its encoder once for each request', () => {
  const whisper: ModelFacts = {
    attention: 'EncoderDecoder',
    layers: 32,
    keyValueHeads: 20,
    headSize: 64,
    crossAttention: { layers: 32, encoderTokens: 1500 },
  };
  const layout = layOut(whisper);
  expect(blocksForRequest(layout, 448, 2048)).toBe(28 + 94);
});

const unknown: readonly [string, ModelFacts, readonly string[]][] = [
  ['the family is unknown', { layers: 1, keyValueHeads: 1, headSize: 1 }, ['spec.model.facts.attention']],
  ['a latent model has no latent', { attention: 'Latent', layers: 1 }, ['spec.model.facts.latent']],
  [
    'a hybrid does not say which layers slide',
    {
      attention: 'SlidingHybrid',
      keyValueHeads: 1,
      headSize: 1,
      sliding: { window: 1, keyValueHeads: 1, headSize: 1 },
    },
    ['spec.model.facts.cacheLayers'],
  ],
  ['a packed hybrid has unknown states', factsOf('moonshotai/Kimi-K3'), ['spec.model.facts.linear']],
  [
    'nobody has a formula',
    factsOf('deepseek-ai/DeepSeek-V4-Flash'),
    ['a KV cache formula for attention "CompressedLatent"'],
  ],
];

test.each(unknown)('layOutCache names the missing fact, and gives no number, when %s', (_name, facts, missing) => {
  const settings = completeSettings({}, facts, behaviourOf(parseBuild('vLLM', '0.31.0'), facts), accelerator);
  const answer = layOutCache({ facts, shape: shape(1), settings });
  expect('missing' in answer && answer.missing).toEqual(expect.arrayContaining([...missing]));
});

test('a longer request never takes fewer blocks, in any family', () => {
  const names = ['Qwen/Qwen3-8B', 'zai-org/GLM-5', 'google/gemma-4-12B-it', 'Qwen/Qwen3.5-27B', 'openai/gpt-oss-20b'];
  const layouts = names.map((name) => layOut(factsOf(name)));
  fc.assert(
    fc.property(
      fc.constantFrom(...layouts),
      fc.integer({ min: 1, max: 1e6 }),
      fc.nat({ max: 1e5 }),
      (layout, tokens, more) => {
        expect(blocksForRequest(layout, tokens + more, 2048)).toBeGreaterThanOrEqual(
          blocksForRequest(layout, tokens, 2048),
        );
      },
    ),
  );
});

const sizes: readonly [string, readonly number[], number][] = [
  ['one kind is much rarer', [10, 52], 10],
  ['both are about as many', [16, 18], 18],
  ['one kind is missing', [0, 12], 12],
];

test.each(sizes)('groupSize keeps groups few and padding small when %s', (_name, counts, size) => {
  expect(groupSize(counts)).toBe(size);
});

/** a051 and a057 log these tokens with a drafter of six full layers, a051 at 262,144 tokens of context. */
const drafted: readonly [string, number, number, number][] = [
  ['a051', 35.64, 262_144, 1_018_134],
  ['a057', 35.2, 65_536, 950_420],
];

test.each(drafted)('L16 a drafter like its target takes blocks of the full layers: %s', (_id, pool, length, tokens) => {
  const drafter = findDrafter('poolside/Laguna-S-2.1-DFlash-INT4');
  const layout = layOut(factsOf('poolside/Laguna-S-2.1-INT4'), shape(1), { drafter });
  const blocks = Math.floor((pool * gib) / layout.blockBytes);
  const held = Math.floor((blocks / blocksForRequest(layout, length, 2048)) * length);
  expect(Math.abs(held / tokens - 1)).toBeLessThan(0.001);
});

const unlike: readonly [string, string, StatedSettings, RegExp][] = [
  ['a drafter that nobody knows', 'Qwen/Qwen3-8B', { unknownDrafter: 'x/y' }, /geometry of the drafter "x\/y"/],
  [
    'a drafter beside linear layers',
    'Qwen/Qwen3.5-27B',
    { drafter: findDrafter('poolside/Laguna-S-2.1-DFlash-INT4') },
    /formula for the drafter "poolside/,
  ],
];

test.each(unlike)('layOutCache gives no number for %s', (_name, model, stated, missing) => {
  expect(() => layOut(factsOf(model), shape(1), stated)).toThrow(missing);
});
