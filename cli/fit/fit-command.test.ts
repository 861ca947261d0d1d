import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fitCommand } from './fit-command.ts';

interface Ran {
  readonly text: string;
  readonly code: number | undefined;
}

async function run(...args: readonly string[]): Promise<Ran> {
  let text = '';
  let code: number | undefined;
  const command = fitCommand(
    (written) => {
      text += written;
    },
    (set) => {
      code = set;
    },
  );
  await command.exitOverride().parseAsync(['node', 'fit', ...args]);
  return { text, code };
}

const llama = ['--model', 'meta-llama/Llama-3.1-8B-Instruct', '--accelerator', 'L4', '--context', '16384'];

test('fit prints verdict, bar, terms, flags and shapes as text', async () => {
  const { text, code } = await run(...llama, '--concurrency', '2', '--engine', 'vllm@0.19.0');
  await expect(text).toMatchFileSnapshot('fit-llama.golden.txt');
  expect(code).toBe(0);
});

test('fit prints what would change a misfit, and ends with 1', async () => {
  const { text, code } = await run('--model', 'Qwen/Qwen3-32B', '--accelerator', 'L40S', '--context', '8192');
  expect(text).toMatch(/^Misfit: each accelerator is short by \d+\.\d GiB/m);
  expect(text).toContain('take 2 accelerators with tensor parallel size 2: fits');
  expect(code).toBe(1);
});

test('fit ends with 1 and names the fact where one is missing', async () => {
  const { text, code } = await run('--model', 'deepseek-ai/DeepSeek-V4-Flash', '--accelerator', 'H200', '--count', '8');
  expect(text).toContain('Unsupported: unknown a KV cache formula for attention "CompressedLatent"');
  expect(code).toBe(1);
});

test('fit prints one JSON with -o json', async () => {
  const { text } = await run(...llama, '-o', 'json');
  const said = JSON.parse(text);
  expect([said.model, said.accelerator, said.verdict.verdict]).toEqual([
    'meta-llama/Llama-3.1-8B-Instruct',
    'L4',
    'Fit',
  ]);
});

test('fit prints a page that loads nothing, with a bar and its labels, with -o html', async () => {
  const { text } = await run(...llama, '-o', 'html');
  expect(text).toMatch(/^<!doctype html>/);
  expect(text).not.toMatch(/https?:|<script/);
  expect(
    text.match(/aria-label="(weights|activation|non-torch|CUDA graphs|KV cache|headroom) [\d.]+ GiB"/g),
  ).toHaveLength(6);
});

test('fit reads facts from a file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fit-')), 'facts.yaml');
  writeFileSync(
    file,
    'facts:\n  attention: Full\n  layers: 2\n  hiddenSize: 64\n  intermediateSize: 128\n  attentionHeads: 4\n  keyValueHeads: 4\n  headSize: 16\n  vocabularySize: 1000\n  weightBytes: 1000000\n',
  );
  expect((await run('--model', file, '--accelerator', 'T4', '--context', '1024')).code).toBe(0);
});

const wrong: readonly [string, readonly string[], RegExp][] = [
  ['the model is misspelt', ['--model', 'Qwen/Qwen3-33B', '--accelerator', 'L4'], /did you mean "Qwen\/Qwen3-32B"\?/],
  ['the accelerator is misspelt', ['--model', 'Qwen/Qwen3-32B', '--accelerator', 'MI30X'], /did you mean "MI300X"\?/],
  ['the engine is not known', [...llama, '--engine', 'triton'], /Cannot read --engine "triton": write vllm@0\.30/],
  ['a number is none', [...llama.slice(0, 4), '--context', '0'], /Cannot read --context "0"/],
  ['nothing is named', [], /Cannot judge without --model/],
  ['the cases are not there', ['--cases', '/nowhere.jsonl'], /Cannot read --cases "\/nowhere\.jsonl"/],
];

test.each(wrong)('fit refuses what it cannot read with the fix when %s', async (_name, args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

test('fit --cases prints one JSON for each case, and null for what the log leaves open', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fit-')), 'cases.jsonl');
  const whole = {
    id: 'l04',
    engine: 'vllm',
    version: '0.11.0',
    model: 'meta-llama/Llama-3.1-8B-Instruct',
    gpu: 'NVIDIA H100 80GB',
    gpu_count: 1,
    gpu_total_gib: 79.18,
    tp: 1,
    gpu_memory_utilization: 0.9,
    max_model_len: 16000,
    weights_gib_per_rank: 14.99,
    available_kv_gib: 51.38,
  };
  const bare = { id: 'x', model: null, gpu: null };
  const unnamed = { ...whole, id: 'y', gpu: null, gpu_total_gib: null };
  writeFileSync(file, [whole, bare, unnamed].map((row) => JSON.stringify(row)).join('\n'));
  const [first, second, third] = (await run('--cases', file, '-o', 'json')).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(Object.keys(first)).toEqual([
    'id',
    'family',
    'supported',
    'missing',
    'weightsGib',
    'weightsGibFromFiles',
    'activationGib',
    'graphsGib',
    'nonTorchGib',
    'kvGib',
    'kvTokens',
    'kvTokensFromLoggedKv',
    'concurrency',
    'verdict',
    'tight',
  ]);
  expect(first).toMatchObject({ id: 'l04', family: 'Full', supported: true, missing: [], verdict: 'Fit' });
  expect(Math.abs(first.kvGib - 51.38)).toBeLessThan(0.2);
  expect(second).toMatchObject({
    id: 'x',
    supported: false,
    missing: ['model', 'tensor parallel size'],
    verdict: null,
  });
  expect(third).toMatchObject({
    id: 'y',
    supported: true,
    kvGib: null,
    kvTokens: null,
    verdict: null,
    weightsGib: 14.99,
  });
  expect(third.kvTokensFromLoggedKv).toBeGreaterThan(420_000);
});
