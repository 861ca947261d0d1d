import { expect, test } from 'vitest';
import { doubtWeights } from '../fit/terms/weights.ts';
import { catalogueNames, findFacts } from './find-facts.ts';

/** Rows whose files are known not to agree with geometry and format, and why. */
const explained = new Map([
  ['Qwen/Qwen3-1.7B', 'its file holds the head although embeddings are tied'],
  ['deepseek-ai/DeepSeek-V4-Flash', 'its experts are FP4 beside an FP8 config'],
  ['deepseek-ai/DeepSeek-V4-Flash-0731', 'its experts are FP4 beside an FP8 config'],
  ['deepseek-ai/DeepSeek-V4-Pro', 'its experts are FP4 beside an FP8 config'],
]);

test('L4 the files of each row agree with its geometry and format within 15%, or the row is explained', () => {
  const doubted = catalogueNames().filter((name) => doubtWeights(findFacts(name, undefined).facts).length > 0);
  expect(doubted).toEqual([...explained.keys()].sort());
});

test('the catalogue has every attention family', () => {
  const families = catalogueNames().map((name) => findFacts(name, undefined).facts.attention);
  expect([...new Set(families)].sort()).toEqual([
    'CompressedLatent',
    'EncoderDecoder',
    'Full',
    'Latent',
    'LinearHybrid',
    'SlidingHybrid',
    'SparseLatent',
  ]);
  expect(families.length).toBeGreaterThanOrEqual(179);
});
