/**
 * L6: how sure a verdict is, in runs and not by the formula alone. An engine that is wrong in 30% of the tries passes
 * 50 tries with 2 allowed to fail with a chance of 1 in 224,000, so that none of 200 runs passes with 99.9%.
 */
import { expect, test } from 'vitest';
import { builtInCases, type CaseName, caseNames } from '../../domain/evidence/cases/built-in-cases.ts';
import { defaultLeastPassShare, defaultTries } from '../../domain/evidence/odds.ts';
import { planCases } from '../../domain/evidence/plan-cases.ts';
import { runCases } from '../../functions/evidence/run-cases.ts';
import { askDirectly } from './direct-engine.ts';
import { seededChance } from './fake-engine.ts';
import type { FaultKind } from './fake-model.ts';

const runs = 200;

async function countPasses(fault: FaultKind, names: readonly CaseName[]): Promise<number> {
  const chance = seededChance(20261202);
  let passes = 0;
  for (let run = 0; run < runs; run += 1) {
    const { planned } = planCases({
      cases: names.map((name) => builtInCases[name]),
      protocols: ['OpenAI'],
      tries: defaultTries,
      leastPassShare: defaultLeastPassShare,
      outputTokens: 4096,
    });
    const results = await runCases({
      ask: askDirectly({ fault, chance }),
      planned,
      contextTokens: 4096,
      outputTokens: 4096,
      concurrency: 4,
      endsEarly: true,
      seed: run * defaultTries,
      onTry: () => {},
    });
    if (results.every(({ verdict }) => verdict === 'Passed')) passes += 1;
  }
  return passes;
}

test('over 200 runs of the default tries the engine that is wrong in 30% of them never passes', async () => {
  expect(await countPasses('wrong-30', ['CopyNames'])).toBe(0);
});

test('over 200 runs of every case the clean engine never fails', { timeout: 120_000 }, async () => {
  expect(await countPasses('clean', caseNames)).toBe(runs);
});

test('an engine that is wrong in 30% of three tries passes often: few tries prove nothing', async () => {
  const { planned } = planCases({
    cases: [builtInCases.CopyNames],
    protocols: ['OpenAI'],
    tries: 3,
    leastPassShare: 1,
    outputTokens: 4096,
  });
  let passes = 0;
  const chance = seededChance(7);
  for (let run = 0; run < runs; run += 1) {
    const [result] = await runCases({
      ask: askDirectly({ fault: 'wrong-30', chance }),
      planned,
      contextTokens: 4096,
      outputTokens: 4096,
      concurrency: 1,
      endsEarly: true,
      seed: run,
      onTry: () => {},
    });
    if (result?.verdict === 'Passed') passes += 1;
  }
  // 0.7 to the third is 34%.
  expect(passes).toBeGreaterThan(40);
});
