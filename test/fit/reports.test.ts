import { expect, test } from 'vitest';
import { answerRequest } from '../../cli/fit/answer-request.ts';
import { type FitFlags, readRequest } from '../../cli/fit/fit-request.ts';
import { printFit } from '../../cli/fit/print-fit.ts';
import { checkFit, type FitQuestion } from '../../domain/fit/check-fit.ts';
import type { Verdict } from '../../domain/fit/verdict.ts';
import { findFacts } from '../../domain/model/find-facts.ts';
import { gib } from '../../domain/units/bytes.ts';

/** What people ran into with other tools, each as a test under its id. */

function ask(model: string, visibleGib: number, contextTokens: number, more: Partial<FitQuestion> = {}): Verdict {
  return checkFit({
    facts: findFacts(model, undefined).facts,
    accelerator: {
      name: 'any',
      productName: 'any',
      vendor: 'NVIDIA',
      memory: visibleGib * gib,
      visibleMemory: visibleGib * gib,
    },
    shape: { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 },
    load: { contextTokens, concurrentRequests: 4 },
    ...more,
  });
}

function person(flags: Partial<FitFlags>): string {
  return printFit(answerRequest(readRequest({ count: '1', nodes: '1', engine: 'vllm@0.30', arg: [], ...flags })));
}

test('kaito#2302 one 80 GB accelerator holds gpt-oss-120b, and one of 24 GB does not hold a Nemotron hybrid', () => {
  const large = ask('openai/gpt-oss-120b', 79.18, 16_384);
  const hybrid = ask('nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16', 22, 16_384);
  expect([large.verdict, hybrid.verdict]).toEqual(['Fit', 'Misfit']);
  const names = large.verdict === 'Unsupported' ? [] : large.terms.map(({ name }) => name);
  expect(names).toEqual(['visible', 'requested', 'weights', 'activation', 'nonTorch', 'graphs', 'kvCache', 'headroom']);
});

test('gpustack#645 a file of 42 GB is taken as it is, and a difference from the geometry is said', () => {
  const { facts } = findFacts('Qwen/Qwen2.5-72B-Instruct', undefined);
  const verdict = ask('Qwen/Qwen2.5-72B-Instruct', 79.18, 8192, { facts: { ...facts, weightBytes: 42e9 } });
  expect(verdict.verdict === 'Fit' && verdict.warnings).toEqual([
    'The files hold 39.1 GiB where geometry and format give 135.4 GiB; the files count',
  ]);
});

test('gpustack#2462 what one request takes is told beside what the engine claims, which sharing must count with', () => {
  const text = person({ model: 'Qwen/Qwen3-0.6B', accelerator: 'L4', context: '2048' });
  expect(text).toMatch(/One request takes 1\.\d GiB at least; the engine claims 19\.8 GiB all the same/);
});

test('gpustack#2101 a sliding hybrid of 27 billion weights holds 128,000 tokens in an 80 GB accelerator', () => {
  const verdict = ask('google/gemma-3-27b-it', 79.18, 128_000);
  expect(verdict.verdict === 'Fit' && verdict.concurrency >= 1).toBe(true);
});

test('gpustack#2259 three accelerators are refused for the heads, with the reason, and legal shapes are offered', () => {
  const text = person({ model: 'Qwen/Qwen3-32B', accelerator: 'L40S', count: '3' });
  expect(text).toContain('Not legal: 64 attention heads cannot be divided by 3 ranks');
  expect(text).toContain('2 x L40S, tensor 2, pipeline 1: ');
});

test('vllm#2418 a context that the cache does not hold is refused with the one that it does', () => {
  const verdict = ask('meta-llama/Llama-3.1-8B-Instruct', 17.5, 4096);
  expect(verdict.verdict === 'Misfit' && verdict.fittingContextTokens).toBeLessThan(4096);
  expect(verdict.verdict === 'Misfit' && verdict.fittingContextTokens).toBeGreaterThan(256);
});

test('vllm#10517 a longer context never fits where a shorter one does not, from 20,000 to 45,000 tokens', () => {
  const verdicts: string[] = [];
  for (let tokens = 20_000; tokens <= 45_000; tokens += 250)
    verdicts.push(ask('meta-llama/Llama-3.1-8B-Instruct', 22, tokens).verdict);
  const firstMisfit = verdicts.indexOf('Misfit');
  expect(firstMisfit).toBeGreaterThan(0);
  expect(new Set(verdicts.slice(firstMisfit))).toEqual(new Set(['Misfit']));
});

test('dynamo#10752 an accelerator that nobody knows is taken by its memory, and marked', () => {
  const request = readRequest({
    model: 'nvidia/GLM-5.2-NVFP4',
    accelerator: '275GiB',
    count: '4',
    nodes: '1',
    engine: 'vllm@0.30',
    arg: [],
    context: '32768',
  });
  expect([answerRequest(request).verdict.verdict, request.known.source]).toEqual(['Fit', 'user supplied']);
});

test('llmfit#302 a context that nobody asked for is a stated default and not the longest of the model', () => {
  const text = person({ model: 'Qwen/Qwen3-4B-Thinking-2507', accelerator: 'L4' });
  expect(text).toMatch(/Context: not asked, so 32768 tokens are taken; the cache holds \d+ tokens in all/);
});

test('LLMKube#1724 a node without the memory for the processes is refused, whatever its accelerators have', () => {
  const verdict = ask('Qwen/Qwen3-0.6B', 22, 2048, { nodeMemory: 4 * gib });
  expect([verdict.verdict, verdict.verdict === 'Misfit' && verdict.shortfall]).toEqual(['Misfit', 0]);
  expect(verdict.verdict === 'Misfit' && (verdict.hostShortfall ?? 0) / gib).toBeGreaterThan(3);
});

test('L5 vllm#39367 a combination that is known broken is said with its row, and one that is only claimed is said too', () => {
  const broken = person({ model: 'XiaomiMiMo/MiMo-V2.6-Flash', accelerator: 'RTX PRO 6000', count: '2' });
  const claimed = person({ model: 'Qwen/Qwen3-8B', accelerator: 'MI300X' });
  expect(broken).toContain('Compatibility: known broken: the FP8 attention shards');
  expect(claimed).toContain('Compatibility: claimed');
});

test('L16 Qwen3-Coder-30B-A3B on 96 GB with an fp8 cache holds 1.19 million tokens, nine requests of 131,072', () => {
  const verdict = ask('Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8', 94.97, 131_072, {
    engine: {
      type: 'vLLM',
      image: 'vllm:v0.24.0',
      args: ['--gpu-memory-utilization=0.92', '--kv-cache-dtype=fp8'],
    },
  });
  const tokens = verdict.verdict === 'Fit' ? verdict.kvTokens : 0;
  expect(Math.abs(tokens / 1_190_000 - 1)).toBeLessThan(0.07);
});

test('L17 L18 GLM-4.7-Flash in 8 bits on 48 GB is tight at 0.97 with 256 sequences, and has room as we run it', () => {
  const { facts } = findFacts('zai-org/GLM-4.7-Flash', undefined);
  const model = { ...facts, weightBytes: 30 * gib, quantisation: { method: 'fp8', weightBits: 8 } };
  const of = (...args: readonly string[]) =>
    ask('zai-org/GLM-4.7-Flash', 44.4, 32_768, { facts: model, engine: { type: 'vLLM', image: 'vllm:v0.24.0', args } });
  const [risky, ours] = [of('--gpu-memory-utilization=0.97', '--max-num-seqs=256'), of()];
  expect([risky.verdict === 'Fit' && risky.tight, ours.verdict === 'Fit' && ours.tight]).toEqual([true, false]);
  expect(ours.verdict === 'Fit' && ours.sizing.maxNumSeqs).toBe(8);
});

test('an AMD accelerator is judged like any other', () => {
  const text = person({ model: 'deepseek-ai/DeepSeek-R1', accelerator: 'MI355X', count: '8', context: '65536' });
  expect(text).toMatch(/^deepseek-ai\/DeepSeek-R1 on 8 x MI355X, vllm@0\.30\nFit/);
});
