import { expect, test } from 'vitest';
import { gib } from '../../units/bytes.ts';
import { parseBuild, readImage, release } from './engine-build.ts';
import { sglangBehaviour, sglangReserve } from './sglang.ts';
import { behaviourOf } from './vllm-eras.ts';

const texts: readonly [string, string | undefined, { version?: number; branch?: number; isV0: boolean }][] = [
  ['a release', '0.19.1', { version: release(19, 1), isV0: false }],
  ['a development build of upstream', '0.19.2rc1.dev134+gfe9c3d6c5', { version: release(19, 2), isV0: false }],
  ['a range', '0.25-0.27', { version: release(25), isV0: false }],
  ['V0 by a remark', '0.8.x (V0)', { version: release(8), isV0: true }],
  ['V0 by its number', '0.7.2', { version: release(7, 2), isV0: true }],
  ['a remark that names another release', 'model-specific image (0.30.0 failed)', { isV0: false }],
  [
    'a fork with a date, which accounts as the release of its day',
    '0.11.2.dev280+fork.20260810.r34',
    { version: release(27), branch: release(11, 2), isV0: false },
  ],
  ['a month', 'vLLM main of September 2026 (fork)', { version: release(29), isV0: false }],
  ['a checkout without tags', '0.0.0+frontier.g01', { isV0: false }],
  ['no version', 'NVIDIA NIM (vLLM inside)', { isV0: false }],
  ['nothing', undefined, { isV0: false }],
];

test.each(texts)('parseBuild reads the version when it is %s', (_name, text, expected) => {
  expect(parseBuild('vLLM', text)).toEqual({ type: 'vLLM', ...expected });
});

const images: readonly [string, string, number | undefined][] = [
  ['a release tag', 'vllm/vllm-openai:v0.19.0', release(19)],
  ['a registry with a port', 'registry.example.com:5000/vllm:0.30.1', release(30, 1)],
  ['latest', 'vllm/vllm-openai:latest', undefined],
  ['a digest', `vllm/vllm-openai@sha256:${'0'.repeat(64)}`, undefined],
];

test.each(images)('readImage finds the version in an image when its tag is %s', (_name, image, expected) => {
  expect(readImage(image).version).toBe(expected);
});

const dense = { architecture: 'Qwen2ForCausalLM' };
const llama = { architecture: 'LlamaForCausalLM' };
const experts = { architecture: 'Qwen3MoeForCausalLM', experts: { count: 128, perToken: 8 } };
const quantised = { ...llama, quantisation: { method: 'fp8', weightBits: 8 } };

type Behaviour = readonly [runner: string, utilization: number, samplerBytes: number, subtracts: boolean, log: string];
const eras: readonly [string, string, typeof dense, Behaviour][] = [
  ['0.6 is V0, which samples in its profile', '0.6.5', dense, ['V0', 0.9, 38.5, false, 'blocks']],
  ['0.8 may be V0, and then does not', '0.8.5 (V0)', dense, ['V0', 0.9, 0, false, 'blocks']],
  ['0.11 sorts every logit', '0.11.0', dense, ['V1', 0.9, 38.5, false, 'blocks']],
  ['0.17 samples without a sort', '0.17.0', dense, ['V1', 0.9, 12, false, 'blocks']],
  ['0.20 subtracts graphs', '0.20.0', dense, ['V1', 0.92, 12, true, 'blocks']],
  ['0.22 logs concurrency', '0.22.0', dense, ['V1', 0.92, 12, true, 'concurrency']],
  ['0.23 moves Llama to runner V2', '0.23.0', llama, ['V2', 0.92, 4, false, 'concurrency']],
  ['0.23 leaves quantised models', '0.23.0', quantised, ['V1', 0.92, 12, true, 'concurrency']],
  ['0.25 moves every dense model', '0.25.1', quantised, ['V2', 0.92, 4, false, 'concurrency']],
  ['0.27 leaves mixtures of experts', '0.27.1', experts, ['V1', 0.92, 12, true, 'concurrency']],
  ['0.29 moves all and measures graphs again', '0.29.0', experts, ['V2', 0.92, 4, true, 'concurrency']],
];

test.each(eras)('behaviourOf accounts as the engine does when %s', (_name, version, facts, expected) => {
  const behaviour = behaviourOf(parseBuild('vLLM', version), facts);
  const { runner, defaultUtilization, samplerBytes, subtractsGraphs, logsTokensBy } = behaviour;
  expect([runner, defaultUtilization, samplerBytes, subtractsGraphs, logsTokensBy]).toEqual(expected);
});

test('behaviourOf takes a build without a version for the newest release, but for graphs that it may not measure', () => {
  const newest = behaviourOf(parseBuild('vLLM', '0.31.0'), dense);
  expect(newest.measuresGraphs).toBe(true);
  expect(behaviourOf(parseBuild('vLLM', undefined), dense)).toEqual({ ...newest, measuresGraphs: false });
});

test('behaviourOf gives every accelerator 1,024 sequences up to 0.8.3 only', () => {
  const small = (version: string) => behaviourOf(parseBuild('vLLM', version), dense).defaultSequences.small;
  expect([small('0.8.3'), small('0.8.4')]).toEqual([1024, 256]);
});

test('sglangBehaviour keeps more free on more ranks and with a larger chunk', () => {
  const h100 = {
    name: 'H100',
    productName: 'H100',
    vendor: 'NVIDIA' as const,
    memory: 80 * gib,
    visibleMemory: 79 * gib,
  };
  const shape = (ranks: number) => ({
    nodes: 1,
    acceleratorsPerNode: ranks,
    tensorParallelSize: ranks,
    pipelineParallelSize: 1,
  });
  const fraction = (ranks: number, batch: number) =>
    sglangBehaviour(h100, shape(ranks), { maxNumBatchedTokens: batch }).defaultUtilization;
  expect(fraction(8, 8192)).toBeLessThan(fraction(1, 8192));
  expect(fraction(1, 16384)).toBeLessThan(fraction(1, 8192));
  expect(sglangReserve(h100, shape(1), {}) / gib).toBeGreaterThanOrEqual(10);
});
