import { expect, test } from 'vitest';
import { checkFit, type FitQuestion } from '../../domain/fit/check-fit.ts';
import { findAccelerator, toAccelerator } from '../../domain/hardware/find-accelerator.ts';
import { findFacts } from '../../domain/model/find-facts.ts';

const rounds = 60;
const verdicts = 150;

/** Microseconds of one verdict, warm: the best of many short rounds, some of which no other work on the machine disturbs. */
function microseconds(question: FitQuestion): number {
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now();
    for (let verdict = 0; verdict < verdicts; verdict += 1) checkFit(question);
    return ((performance.now() - began) * 1000) / verdicts;
  });
  return Math.min(...times);
}

const models: readonly [string, string][] = [
  ['a dense model', 'meta-llama/Llama-3.1-8B-Instruct'],
  ['a linear hybrid with an encoder', 'Qwen/Qwen3.5-35B-A3B'],
  ['a sparse latent model that does not fit', 'zai-org/GLM-5'],
];

test.each(models)('a verdict takes less than 50 microseconds for %s', (_name, model) => {
  const known = findAccelerator('L40S');
  if (known === undefined) throw new Error('the catalogue lacks the L40S');
  const question: FitQuestion = {
    facts: findFacts(model, undefined).facts,
    accelerator: toAccelerator(known),
    shape: { nodes: 1, acceleratorsPerNode: 8, tensorParallelSize: 8, pipelineParallelSize: 1 },
    load: { contextTokens: 32_768, concurrentRequests: 8 },
    engine: { type: 'vLLM', image: 'vllm/vllm-openai:v0.30.0', args: ['--kv-cache-dtype=fp8'] },
    nodeMemory: 2 ** 38,
  };
  expect(microseconds(question)).toBeLessThan(50);
});
