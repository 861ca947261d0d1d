import { expect, test } from 'vitest';
import type { Accelerator } from '../hardware/accelerator.ts';
import { findFacts } from '../model/find-facts.ts';
import { gib } from '../units/bytes.ts';
import { accountMemory } from './account-memory.ts';
import type { StatedSettings } from './engine-settings.ts';
import { parseBuild } from './engines/engine-build.ts';
import { judgeAccount, margin } from './judge-account.ts';

function card(name: string, visibleGib: number): Accelerator {
  return { name, productName: name, vendor: 'NVIDIA', memory: visibleGib * gib, visibleMemory: visibleGib * gib };
}

const shape = { nodes: 1, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: 1 };

function judge(model: string, on: Accelerator, version: string, stated: StatedSettings): string {
  const { facts } = findFacts(model, undefined);
  const account = accountMemory({ facts, accelerator: on, shape, build: parseBuild('vLLM', version), stated });
  const judged = judgeAccount(account, on);
  if (judged.verdict === 'Misfit') return 'Misfit';
  return judged.tight ? 'Tight' : 'Comfortable';
}

const l40s = card('L40S', 44.4);
const h100 = card('H100', 79.18);
const eight = 'meta-llama/Llama-3.1-8B-Instruct';
const hybrid = 'Qwen/Qwen3.6-27B-FP8';
const bounded = { maxModelLen: 16_384, maxNumSeqs: 16, maxNumBatchedTokens: 2048 };

const rows: readonly [string, string, Accelerator, string, StatedSettings, string][] = [
  ['there is room for many requests', eight, l40s, '0.31.0', { ...bounded, gpuMemoryUtilization: 0.9 }, 'Comfortable'],
  [
    'L17 L18 almost nothing is left beside the share of the engine',
    eight,
    l40s,
    '0.31.0',
    { ...bounded, gpuMemoryUtilization: 0.97 },
    'Tight',
  ],
  [
    'graphs come on top of a small rest',
    eight,
    card('small', 16.9),
    '0.11.0',
    { ...bounded, maxModelLen: 512 },
    'Misfit',
  ],
  [
    'fewer than one and a half requests fit',
    eight,
    l40s,
    '0.31.0',
    { ...bounded, maxModelLen: 131_072, gpuMemoryUtilization: 0.85 },
    'Tight',
  ],
  ['the cache is short of one request', 'Qwen/Qwen3-32B', h100, '0.11.0', { maxModelLen: 32_000 }, 'Misfit'],
  [
    'h40 f108 the sampler sorts 1,024 sequences after the pool was taken',
    eight,
    h100,
    '0.11.0',
    { maxModelLen: 16_384, maxNumSeqs: 1024 },
    'Tight',
  ],
  [
    'f130 there are more sequences than state blocks',
    hybrid,
    h100,
    '0.22.0',
    { maxModelLen: 8192, maxNumSeqs: 1024, gpuMemoryUtilization: 0.94 },
    'Misfit',
  ],
  [
    'f131 there are fewer sequences than state blocks',
    hybrid,
    h100,
    '0.22.0',
    { maxModelLen: 8192, maxNumSeqs: 512, gpuMemoryUtilization: 0.9 },
    'Comfortable',
  ],
  [
    'h70 the page cache of shared memory may stand in the way',
    eight,
    card('NVIDIA GB10', 30),
    '0.31.0',
    { ...bounded, gpuMemoryUtilization: 0.7 },
    'Tight',
  ],
];

test.each(rows)('judgeAccount draws the grey band when %s', (_name, model, on, version, stated, expected) => {
  expect(judge(model, on, version, stated)).toBe(expected);
});

test('the margin is the error of the prediction: 1.5 GiB, 2% of a large accelerator, a tenth of shared memory', () => {
  const margins = [margin(l40s), margin(card('MI325X', 256)), margin(card('GB10', 121))];
  expect(margins.map((bytes) => (bytes / gib).toFixed(2))).toEqual(['1.50', '5.12', '12.10']);
});

function accountOf(type: 'vLLM' | 'SGLang', freeMemory: number | undefined, gpuMemoryUtilization: number) {
  const { facts } = findFacts(eight, undefined);
  const free = freeMemory === undefined ? {} : { freeMemory };
  const stated = { ...bounded, gpuMemoryUtilization };
  return accountMemory({ facts, accelerator: l40s, shape, build: parseBuild(type, undefined), stated, ...free });
}

test('f037 vLLM refuses a share that is not free before it starts, whatever the pool would hold', () => {
  const judged = judgeAccount(accountOf('vLLM', 35 * gib, 0.9), l40s);
  expect(judged).toEqual({ verdict: 'Misfit', shortfall: 0.9 * 44.4 * gib - 35 * gib });
  expect(judgeAccount(accountOf('vLLM', 43 * gib, 0.9), l40s).verdict).toBe('Fit');
});

test('f038 to f041 the share of SGLang is one of what is free before it loads', () => {
  const of = (free: number | undefined) => accountOf('SGLang', free, 0.8).available ?? 0;
  expect((of(40 * gib) - of(30 * gib)) / gib).toBeCloseTo(8, 5);
  expect(of(undefined)).toBe(of(44.4 * gib - 0.6 * gib));
});
