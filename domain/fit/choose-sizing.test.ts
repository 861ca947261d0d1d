import { expect, test } from 'vitest';
import { chooseSizing } from './choose-sizing.ts';

const sequences: readonly [string, number, number][] = [
  ['one request is wanted, and eight is the least', 1, 8],
  ['six are wanted, with a quarter to spare', 6, 8],
  ['seven are wanted, so that eight leave too little to spare', 7, 16],
  ['twelve are wanted', 12, 16],
  ['thirteen are wanted', 13, 32],
  ['as many are wanted as a replica may run', 1024, 1024],
];

test.each(sequences)('L18 R2 chooseSizing bounds the sequences when %s', (_name, concurrentRequests, maxNumSeqs) => {
  expect(chooseSizing({ contextTokens: 16_384, concurrentRequests })).toEqual({
    gpuMemoryUtilization: 0.9,
    maxModelLen: 16_384,
    maxNumSeqs,
    maxNumBatchedTokens: 2048,
  });
});

test('L18 R2 the sequences are the least power of two with a quarter to spare, from 8 to 1024, for every load', () => {
  const wrong: number[] = [];
  for (let wanted = 1; wanted <= 1024; wanted += 1) {
    const { maxNumSeqs } = chooseSizing({ contextTokens: 4096, concurrentRequests: wanted });
    const powers = [8, 16, 32, 64, 128, 256, 512, 1024];
    const expected = powers.find((power) => power >= 1.25 * wanted) ?? 1024;
    if (maxNumSeqs !== expected || maxNumSeqs < wanted) wrong.push(wanted);
  }
  expect(wrong).toEqual([]);
});

const contexts = [256, 16_384, 1_048_576];

test.each(contexts)('the context is the one that the claim asks for: %i tokens', (contextTokens) => {
  expect(chooseSizing({ contextTokens, concurrentRequests: 2 }).maxModelLen).toBe(contextTokens);
});

test('R3 the utilisation leaves room outside the budget and is never the 0.95 at which served products failed', () => {
  const { gpuMemoryUtilization } = chooseSizing({ contextTokens: 4096, concurrentRequests: 1024 });
  expect(gpuMemoryUtilization).toBeLessThanOrEqual(0.92);
});
