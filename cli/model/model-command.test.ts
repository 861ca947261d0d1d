import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { modelCommand } from './model-command.ts';

const config = {
  architectures: ['LlamaForCausalLM'],
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  max_position_embeddings: 131072,
};

function checkpoint(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

async function run(...args: readonly string[]): Promise<{ text: string; code: number | undefined }> {
  let text = '';
  let code: number | undefined;
  const command = modelCommand(
    (written) => {
      text += written;
    },
    (set) => {
      code = set;
    },
  );
  await command.exitOverride().parseAsync(['node', 'model', 'facts', ...args]);
  return { text, code };
}

const index = { metadata: { total_size: 999 }, weight_map: { a: 'one.safetensors', b: 'two.safetensors' } };

test('L4 model facts adds up the files that the index lists, and no second copy beside them', async () => {
  const folder = checkpoint({
    'config.json': config,
    'model.safetensors.index.json': index,
    'one.safetensors': 'x'.repeat(300),
    'two.safetensors': 'x'.repeat(200),
    'consolidated.safetensors': 'x'.repeat(5000),
  });
  const { text, code } = await run(folder);
  expect(parse(text).facts).toMatchObject({ attention: 'Full', layers: 32, headSize: 128, weightBytes: 500 });
  expect([text.split('\n')[0], code]).toEqual(['# Weights: sizes of the 2 files that the index lists', 0]);
});

test('L4 model facts takes the total of the index where the files are not there', async () => {
  const folder = checkpoint({ 'config.json': config, 'index.json': index });
  const { text } = await run(join(folder, 'config.json'), '--index', join(folder, 'index.json'));
  expect(parse(text).facts.weightBytes).toBe(999);
});

test('model facts of an unknown architecture says what is missing, and ends with 1', async () => {
  const { text, code } = await run(checkpoint({ 'config.json': { architectures: ['NewForCausalLM'] } }));
  expect(text).toContain('# Missing for the fit: spec.model.facts.attention, spec.model.facts.layers');
  expect(code).toBe(1);
});

test('model facts names a file that it cannot read', async () => {
  await expect(run(checkpoint({ 'config.json': '{' }))).rejects.toThrow(/^Cannot read ".*config\.json": /);
});
