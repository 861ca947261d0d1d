import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WorldResult } from '../../cli/crossplane/reconcile-world.ts';
import { describeClaims } from '../../cli/render/describe-claims.ts';
import { printReports } from '../../cli/render/print-table.ts';
import { type KubernetesObject, readList, readNumber } from '../../domain/kubernetes/object.ts';
import { readCases, readExpected, root } from './read-cases.ts';
import { listExamples, renderExample } from './render-examples.ts';
import { surroundings } from './surroundings.ts';

const examples = listExamples();
const results = new Map<string, WorldResult>();

beforeAll(async () => {
  for (const folder of examples) results.set(folder, await renderExample(folder));
});

function xrsOf(folder: string): readonly KubernetesObject[] {
  return (results.get(folder)?.outputs ?? []).map(({ composite }) => composite);
}

function ofKind(folder: string, kind: string): readonly KubernetesObject[] {
  return xrsOf(folder).filter((xr) => xr.kind === kind);
}

/** The first line of the table for each deployment, on a terminal that is wide enough. */
function firstLines(folder: string): readonly string[] {
  const names = ofKind(folder, 'ModelDeployment').map(({ metadata }) => `${metadata.name}  `);
  const reports = describeClaims(xrsOf(folder), surroundings.now());
  const lines = reports.map((report) => printReports([report], 300).split('\n')[0] ?? '');
  return lines.filter((line) => names.some((name) => line.startsWith(name)));
}

/** The paragraphs of the README of an example, each in one line. */
function paragraphsOf(folder: string): readonly string[] {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  return text.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s+/g, ' '));
}

function readmeOf(folder: string): string {
  return paragraphsOf(folder).join('\n');
}

/**
 * Amounts of US dollars per hour that the README of an example may state: of each node type, of each candidate of a
 * deployment and of all of them asked at once, of its budget, and of the cap of a namespace.
 */
function amountsOf(folder: string): readonly string[] {
  const nodeTypes = ofKind(folder, 'InferenceClass').flatMap((xr) => readList(xr, ['spec', 'eks', 'nodeTypes']));
  const deployments = ofKind(folder, 'ModelDeployment').flatMap((deployment) => {
    const candidates = pricesOf(readList(deployment, ['status', 'candidates']));
    const atOnce = candidates.reduce((sum, price) => sum + price, 0);
    const budget = readNumber(deployment, ['spec', 'budget', 'usdPerHour']) ?? 0;
    return [...candidates, atOnce, budget];
  });
  const caps = ofKind(folder, 'InferenceCluster').flatMap(
    (cluster) => readNumber(cluster, ['spec', 'guardrails', 'perNamespace', 'usdPerHour']) ?? [],
  );
  return [...pricesOf(nodeTypes), ...deployments, ...caps].map((amount) => amount.toFixed(2));
}

function pricesOf(priced: readonly unknown[]): readonly number[] {
  return priced.flatMap((item) => readNumber(item, ['usdPerHour']) ?? []);
}

test('the examples that hold claims are these', () => {
  expect(examples).toEqual(['examples/fleet', 'examples/hello', 'examples/poc-1', 'examples/poc-2']);
});

test('the first lines of the table say for each example what fits and what it costs', () => {
  expect(Object.fromEntries(examples.map((folder) => [folder, firstLines(folder)]))).toMatchInlineSnapshot(`
    {
      "examples/fleet": [
        "llama-aws  Llama-3.3-70B-Instruct on 2 x RTX PRO 6000   Fit: weights 65.7 + KV 18.7 + other 1.0 of 95.0 GiB; 122k tokens, 7.5x at 16k   USD 8.29/h (2026-07-20)",
        "llama-pool  Llama-3.3-70B-Instruct on 1 x MI300X in pool mi300x   Fit: weights 131.4 + KV 40.3 + other 0.8 of 191.7 GiB; 131k tokens, 8.1x at 16k",
      ],
      "examples/hello": [
        "llama  Llama-3.1-8B-Instruct on 1 x L4   Fit: weights 15.0 + KV 4.4 + other 0.4 of 22.0 GiB; 36k tokens, 2.2x at 16k   USD 0.80/h (2026-07-20)",
      ],
      "examples/poc-1": [
        "glm  GLM-4.7-Flash on 1 x L40S   Fit: weights 29.4 + KV 10.0 + other 0.5 of 44.4 GiB; 198k tokens, 6.1x at 32k   USD 1.86/h (2026-07-20)",
        "coder  Qwen3-Coder-30B-A3B-Instruct-FP8 on 1 x RTX PRO 6000   Fit: weights 29.1 + KV 55.8 + other 0.5 of 95.0 GiB; 1219k tokens, 9.3x at 128k   USD 3.36/h (2026-07-20)",
      ],
      "examples/poc-2": [
        "mimo  MiMo-V2.6-Flash on 2 x RTX PRO 6000   Fits, tight: weights 82.9 + KV 1.6 + other 1.0 of 95.0 GiB; 249k tokens, 1.9x at 128k   USD 8.29/h (2026-07-20)",
        "qwen  Qwen3.8-27B on 1 x L40S   Fit: weights 26.3 + KV 11.4 + other 2.2 of 44.4 GiB; 173k tokens, 5.3x at 32k   USD 1.86/h (2026-07-20)",
      ],
    }
  `);
});

describe.each(examples)('the README of %s', (folder) => {
  test('states the price that the table begins with, and the day on which it was read, or that there is none', () => {
    const lines = firstLines(folder);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const [, price = 'no price', day] = /USD (\d+\.\d\d)\/h \((\d{4}-\d\d-\d\d)\)$/.exec(line) ?? [];
      expect(readmeOf(folder)).toContain(price);
      if (day !== undefined) expect(readmeOf(folder)).toContain(`read ${day}`);
    }
    expect(lines.filter((line) => line.includes('USD')).length).toBeGreaterThan(0);
  });

  test('states no other amount of money than the example comes to', () => {
    const priced = paragraphsOf(folder).filter((paragraph) => paragraph.includes('USD'));
    const stated = priced.flatMap((paragraph) => paragraph.match(/\d+\.\d\d/g) ?? []);
    expect(stated.length).toBeGreaterThan(0);
    expect(stated.filter((amount) => !amountsOf(folder).includes(amount))).toEqual([]);
  });
});

/** What a README states by our formula, and how the table has it. */
const predicted: readonly [string, string, string][] = [
  [
    'examples/poc-1',
    '1.22M tokens by our formula at utilisation 0.90, 9.3 requests of 131,072',
    '1219k tokens, 9.3x at 128k',
  ],
  ['examples/poc-2', '| two in one node | 249K tokens |', '249k tokens, '],
];

test.each(predicted)('the README of %s predicts what the table does: %s', (folder, stated, printed) => {
  expect(readmeOf(folder)).toContain(stated);
  expect(firstLines(folder).filter((line) => line.includes(printed)).length).toBe(1);
});

test('no other README predicts by our formula', () => {
  const predicting = examples.filter((folder) => readmeOf(folder).includes('by our formula'));
  expect(predicting).toEqual(predicted.map(([folder]) => folder));
});

test('L9 the README of examples/poc-2 predicts for the gang what its golden case does, beside what was measured', () => {
  const [serving] = readCases().filter(({ name }) => name === 'poc-2-mimo/6-serving');
  const expected = serving === undefined ? undefined : readExpected(serving);
  const tokens = readNumber(expected, ['composite', 'status', 'fit', 'kvTokens']) ?? 0;
  expect(readmeOf('examples/poc-2')).toContain(
    `| one in each of two nodes | ${Math.floor(tokens / 1000)}K tokens | 386K |`,
  );
  expect(tokens).toBeGreaterThan(0);
});
