import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFit } from '../fit/check-fit.ts';
import { findAccelerator, toAccelerator } from '../hardware/find-accelerator.ts';
import { findFacts } from '../model/find-facts.ts';
import type { Candidate } from './candidate.ts';
import { rankForLoad } from './rank-for-load.ts';

const { facts } = findFacts('meta-llama/Llama-3.1-8B-Instruct', undefined);

function candidate(name: string, tensorParallelSize: number, usdPerHour: number | undefined): Candidate {
  const known = findAccelerator(name);
  if (known === undefined) throw new Error(`no accelerator ${name}`);
  const accelerator = toAccelerator(known);
  const shape = { nodes: 1, acceleratorsPerNode: tensorParallelSize, tensorParallelSize, pipelineParallelSize: 1 };
  const load = { contextTokens: 16_384, concurrentRequests: 4 };
  return {
    cluster: { name: 'europe' } as Candidate['cluster'],
    hardwareClass: { name, accelerator } as Candidate['hardwareClass'],
    shape,
    market: 'OnDemand',
    nodeTypes: [],
    verdict: checkFit({ facts, accelerator, shape, load }),
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
  };
}

const question = {
  facts,
  load: { contextTokens: 16_384, users: { people: 40, agentUsers: 0, requestsPerAgentUser: 4 } },
  replicas: 1,
};
const l4 = candidate('L4', 1, 1);
const l40s = candidate('L40S', 1, 1.9);

test('L3 the cheapest for the load comes first, and not the cheapest replica', () => {
  const ranked = rankForLoad([l4, l40s], question);
  // 10 requests of 16,384 tokens: an L4 holds 2.2 of them, an L40S 11.9.
  expect(
    ranked.map(({ candidate: one, replicas, usdPerHour }) => [one.hardwareClass.name, replicas, usdPerHour]),
  ).toEqual([
    ['L40S', 1, 1.9],
    ['L4', 5, 5],
  ]);
});

test('requests that each replica must run of its own take no further replicas', () => {
  const load = { contextTokens: 16_384, concurrentRequests: 10 };
  expect(rankForLoad([l4], { ...question, load, replicas: 2 })).toMatchObject([{ replicas: 2, usdPerHour: 2 }]);
});

test('L42 an estimate of speed is of all replicas, in two digits, and unknown for an accelerator that nobody knows', () => {
  const strange = { ...l40s.hardwareClass.accelerator, productName: 'NVIDIA X1' };
  const unknown = { ...l40s, hardwareClass: { ...l40s.hardwareClass, accelerator: strange } };
  const [known, nameless] = [rankForLoad([l40s], question)[0], rankForLoad([unknown], question)[0]];
  expect(String(known?.tokensPerSecond).replace(/0+$/, '').length).toBeLessThanOrEqual(2);
  expect(nameless?.tokensPerSecond).toBeUndefined();
});

test('a candidate without a price comes after every one with a price, and one that does not fit not at all', () => {
  const small = candidate('T4', 1, 0.5);
  const ranked = rankForLoad([candidate('L40S', 1, undefined), small, l4], question);
  expect(ranked.map(({ candidate: one }) => one.hardwareClass.name)).toEqual(['L4', 'L40S']);
});

test('S3 the order in which candidates are listed does not decide between different prices', () => {
  const all = [l4, l40s, candidate('L40S', 2, 3.8), candidate('H100-80GB', 1, 7)];
  const names = (list: readonly Candidate[]) => rankForLoad(list, question).map(({ candidate: one }) => one.usdPerHour);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      expect(names(shuffled)).toEqual(names(all));
    }),
  );
});
