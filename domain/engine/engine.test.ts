import { expect, test } from 'vitest';
import { Engine } from './engine.ts';

const digest = `sha256:${'0a'.repeat(32)}`;

const images: readonly [string, string, boolean][] = [
  ['it has a tag', 'vllm/vllm-openai:v0.19.0', true],
  ['it has a digest', `vllm/vllm-openai@${digest}`, true],
  ['it has a tag and a digest', `vllm/vllm-openai:v0.19.0@${digest}`, true],
  ['its registry has a port', 'registry.example.com:5000/vllm:v1', true],
  ['it has neither', 'vllm/vllm-openai', false],
  ['only its registry has a port', 'registry.example.com:5000/vllm', false],
  ['its digest is cut', 'vllm/vllm-openai@sha256:0a0a', false],
  ['it has a space', 'vllm/vllm openai:v1', false],
];

test.each(images)('L5 an engine is pinned by tag or digest, or refused, when %s', (_name, image, expected) => {
  expect(Engine.safeParse({ image }).success).toBe(expected);
});

test('an engine is vLLM without arguments of the author by default', () => {
  expect(Engine.parse({ image: 'vllm/vllm-openai:v0.19.0' })).toMatchObject({
    type: 'vLLM',
    image: 'vllm/vllm-openai:v0.19.0',
    args: [],
  });
});
