import { expect, test } from 'vitest';
import { parseBuild } from '../fit/engines/engine-build.ts';
import { flagTable, refuseArguments } from '../fit/engines/known-flags.ts';
import { sizeForEngine } from '../fit/size-for-engine.ts';
import { gib } from '../units/bytes.ts';
import { gangArguments, listArguments } from './list-arguments.ts';

const images = { vLLM: 'vllm/vllm-openai', SGLang: 'lmsysorg/sglang' } as const;
const releases = (['vLLM', 'SGLang'] as const).flatMap((type) =>
  flagTable(type).versions.map((version) => ({ type, version })),
);
const accelerator = {
  name: 'L40S',
  productName: 'NVIDIA L40S',
  vendor: 'NVIDIA' as const,
  memory: 45 * gib,
  visibleMemory: 44 * gib,
};
const load = { contextTokens: 16_384, concurrentRequests: 2 };
const facts = { architecture: 'LlamaForCausalLM' };

test.each(releases)('L5 $type $version takes every flag that is computed for it', ({ type, version }) => {
  const shape = { nodes: 2, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 2 };
  const build = parseBuild(type, version);
  const sizing = sizeForEngine({ load, facts, accelerator, shape, build, args: [] });
  const model = { name: 'meta-llama/Llama-3.1-8B-Instruct', revision: '0e9e39f' };
  const question = { type, model, load, sizing, shape, acceleratorName: 'L40S', servedName: 'a/b', authorArgs: [] };
  const image = `${images[type]}:v${version}`;
  expect(refuseArguments({ type, image }, listArguments(question))).toEqual([]);
  const gang = (['leader', 'worker'] as const).flatMap((role) => gangArguments({ engine: { type }, shape }, role));
  const hasGangs = refuseArguments({ type, image }, ['--nnodes=2']).length === 0;
  expect(refuseArguments({ type, image }, gang)).toEqual(
    hasGangs ? [] : expect.arrayContaining([expect.stringContaining('"--nnodes"')]),
  );
});
