import { expect, test } from 'vitest';
import { findFacts } from './find-facts.ts';
import { recogniseModel } from './recognise-model.ts';

const names: readonly [string, string, string | undefined][] = [
  ['it is a name of the catalogue', 'Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
  ['the case differs and the organisation is left out', 'qwen3.6-35b-a3b-nvfp4', 'nvidia/Qwen3.6-35B-A3B-NVFP4'],
  ['another organisation quantised it', 'RedHatAI/Qwen3-32B-quantized.w4a16', 'Qwen/Qwen3-32B'],
  ['its release has a date', 'Qwen/Qwen3-235B-A22B-Instruct-2507-FP8', 'Qwen/Qwen3-235B-A22B'],
  ['a remark stands in brackets', 'meta-llama/Llama-3.1-8B (14.99 GiB weights)', 'meta-llama/Meta-Llama-3.1-8B'],
  ['it was distilled', 'deepseek-ai/DeepSeek-R1-0528-Qwen3-8B', 'Qwen/Qwen3-8B'],
  ['it was trained further', 'Qwen/Qwen2.5-Coder-14B-Instruct', 'Qwen/Qwen2.5-14B-Instruct'],
  ['it is trained for quantising', 'cyankiwi/gemma-4-26B-A4B-it-qat-AWQ-INT4', 'google/gemma-4-26B-A4B'],
  ['its variant is not told', 'google/gemma-4 (variant not stated)', undefined],
  ['it is another size', 'Qwen/Qwen3-9B', undefined],
  ['its makers keep its geometry', 'poolside/Laguna-M-9-INT4', undefined],
];

test.each(names)('recogniseModel finds the geometry by name when %s', (_name, text, expected) => {
  const found = recogniseModel(text)?.name;
  if (expected === 'meta-llama/Meta-Llama-3.1-8B') expect(found).toMatch(/Llama-3\.1-8B/);
  else expect(found).toBe(expected);
});

test('L4 recogniseModel keeps the bytes of files for the repository itself, and only geometry for a copy', () => {
  const own = recogniseModel('Qwen/Qwen3-32B')?.facts;
  const copy = recogniseModel('RedHatAI/Qwen3-32B-quantized.w4a16')?.facts;
  expect(own).toEqual(findFacts('Qwen/Qwen3-32B', undefined).facts);
  expect([copy?.weightBytes, copy?.quantisation, copy?.layers]).toEqual([
    undefined,
    { method: 'compressed-tensors', weightBits: 4 },
    64,
  ]);
});

test('recogniseModel takes a format in brackets for another file of the same geometry', () => {
  const facts = recogniseModel('meta-llama/Llama-3.3-70B-Instruct (FP8)')?.facts;
  expect([facts?.weightBytes, facts?.quantisation?.method, facts?.layers]).toEqual([undefined, 'fp8', 80]);
});

test('recogniseModel knows the cache that a quantised copy carries, and not for other copies', () => {
  const carried = recogniseModel('unsloth/Qwen3.8-27B-NVFP4')?.facts.quantisation?.cachePrecision;
  const other = recogniseModel('Qwen/Qwen3.8-27B (exl3 quantised)')?.facts.quantisation?.cachePrecision;
  expect([carried, other]).toEqual(['fp8', undefined]);
});
