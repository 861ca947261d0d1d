import { expect, test } from 'vitest';
import type { ModelFacts } from '../../model/model-facts.ts';
import { gib } from '../../units/bytes.ts';
import { parseBuild } from '../engines/engine-build.ts';
import { explainBroken, findCompatibility } from './find-compatibility.ts';

const mimo: ModelFacts = { architecture: 'MiMoV2FlashForCausalLM', quantisation: { method: 'mxfp4', weightBits: 4 } };
const fp8: ModelFacts = { architecture: 'Qwen3MoeForCausalLM', quantisation: { method: 'fp8', weightBits: 8 } };
const nvfp4: ModelFacts = { architecture: 'LlamaForCausalLM', quantisation: { method: 'nvfp4', weightBits: 4 } };
const llama: ModelFacts = { architecture: 'LlamaForCausalLM' };

function ask(facts: ModelFacts, version: string | undefined, computeCapability: string) {
  const accelerator = {
    name: 'any',
    productName: 'any',
    vendor: 'NVIDIA' as const,
    computeCapability,
    memory: gib,
    visibleMemory: gib,
  };
  return findCompatibility({ facts, accelerator, build: parseBuild('vLLM', version) });
}

const rows: readonly [string, ModelFacts, string | undefined, string, string, string | undefined][] = [
  ['L5 an engine registers an architecture and fails to load it', mimo, '0.30.0', '12.0', 'KnownBroken', 'L5'],
  ['L5 another release of it is not known to fail', mimo, '0.31.0', '12.0', 'Claimed', undefined],
  ['vllm#39367 a kernel fails on the part that it claims', fp8, '0.19.0', '10.3', 'KnownBroken', 'vllm-39367'],
  ['vllm#39367 the same kernel runs on another part', fp8, '0.19.0', '9.0', 'Claimed', undefined],
  ['vllm#23826 a format does not run on workstation parts', nvfp4, '0.10.1', '12.0', 'KnownBroken', 'vllm-23826'],
  ['a start was observed', llama, '0.11.0', '8.9', 'Observed', 'case-a009'],
  ['the image does not say its version', llama, undefined, '8.9', 'Claimed', undefined],
];

test.each(rows)(
  'findCompatibility answers in one of three states when %s',
  (_n, facts, version, capability, state, id) => {
    const found = ask(facts, version, capability);
    expect([found.state, found.row?.id]).toEqual([state, id]);
  },
);

test('L5 a refusal names the row, its link and day, and what works', () => {
  expect(explainBroken(ask(mimo, '0.30.0', '12.0'))).toBe(
    "Known not to work: the FP8 attention shards of MiMo-V2 are 1856 wide and the engine expects 1792 (a proof of concept on two RTX PRO 6000, lesson L5, read 2026-12-01); set spec.engine.image to the image of the model's makers",
  );
  expect(explainBroken(ask(llama, '0.11.0', '8.9'))).toBeUndefined();
});
