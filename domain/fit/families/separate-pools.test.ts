import { expect, test } from 'vitest';
import { findFacts } from '../../model/find-facts.ts';
import { gib } from '../../units/bytes.ts';
import { completeSettings } from '../engine-settings.ts';
import { sglangBehaviour } from '../engines/sglang.ts';
import { blocksForRequest, type CacheLayout, isLayout } from './cache-layout.ts';
import { layOutCache } from './families.ts';

const accelerator = {
  name: 'any',
  productName: 'any',
  vendor: 'NVIDIA' as const,
  memory: 80 * gib,
  visibleMemory: 80 * gib,
};
const shape = { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 };

function layOut(name: string): CacheLayout {
  const { facts } = findFacts(name, undefined);
  const settings = completeSettings({}, facts, sglangBehaviour(accelerator, shape, {}), accelerator);
  const answer = layOutCache({ facts, shape, settings });
  if (!isLayout(answer)) throw new Error(answer.missing.join(', '));
  return answer;
}

test('SGLang cuts its cache in 1 part of tokens and 0.9 of states for a linear hybrid', () => {
  // Qwen3.5-35B-A3B: 10 full layers of 2 heads x 256 elements x 2 x 2 bytes; 30 states of 2,146,304 bytes (fit.md 10).
  const layout = layOut('Qwen/Qwen3.5-35B-A3B');
  expect(layout.blockBytes).toBe(10 * 2048 * 1.9);
  const least = Math.ceil((30 * 2_146_304) / (0.9 * 20_480));
  expect([1, 2000, 100_000].map((tokens) => blocksForRequest(layout, tokens, 2048))).toEqual([least, least, 100_000]);
});

test('SGLang keeps eight tokens of the sliding layers for ten of the full ones', () => {
  // Laguna-S-2.1: 12 full and 36 sliding layers of 8 heads x 128 elements x 2 x 2 bytes.
  const layout = layOut('poolside/Laguna-S-2.1');
  expect(layout.blockBytes).toBeCloseTo(4096 * (12 + 0.8 * 36), 6);
  expect(blocksForRequest(layout, 5000, 2048)).toBe(5000);
});

test('h12 SGLang has one pool where every layer is alike, as the log says', () => {
  const layout = layOut('deepseek-ai/DeepSeek-V3');
  const tokens = Math.floor((69.98 * gib) / layout.blockBytes) * (layout.groups[0]?.blockTokens ?? 0);
  expect(Math.abs(tokens / 1_069_242 - 1)).toBeLessThan(0.001);
});
