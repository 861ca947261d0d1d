import { expect, test } from 'vitest';
import { type Candidate, dearestPrice, rungName } from './candidate.ts';
import { cheapestPrice, describeCandidates } from './describe-candidates.ts';
import type { Refusal } from './refuse-candidate.ts';
import { europeWith, l4 } from './sample-placement.ts';

const cluster = europeWith();

function candidate(nodes: number, prices: readonly (number | undefined)[]): Candidate {
  const nodeTypes = prices.map((usdPerHour, index) => ({
    instanceType: `g6.${index}xlarge`,
    accelerators: 1,
    allocatableCpu: 4000,
    allocatableMemory: 1e9,
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
  }));
  const shape = { nodes, acceleratorsPerNode: 1, tensorParallelSize: 1, pipelineParallelSize: nodes };
  const usdPerHour = dearestPrice(shape, nodeTypes);
  return {
    cluster,
    hardwareClass: l4,
    shape,
    market: 'OnDemand',
    nodeTypes,
    verdict: { verdict: 'Unsupported', missing: [] },
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
  };
}

const prices: readonly [string, number, readonly (number | undefined)[], [number | undefined, number | undefined]][] = [
  ['there is one type', 1, [0.8048], [0.8048, 0.8048]],
  ['there are two', 1, [0.9776, 0.8048], [0.8048, 0.9776]],
  ['L9 the shape has three nodes, without the dust of fractions', 3, [0.1, 0.2], [0.3, 0.6]],
  ['one price is unknown', 1, [0.8048, undefined], [undefined, undefined]],
  ['there are no types', 1, [], [undefined, undefined]],
];

test.each(prices)(
  'L3 cheapestPrice and dearestPrice are those of the whole replica when %s',
  (_name, nodes, all, expected) => {
    const one = candidate(nodes, all);
    expect([cheapestPrice(one), dearestPrice(one.shape, one.nodeTypes)]).toEqual(expected);
  },
);

test('L9 rungName is the class, the shape and the market', () => {
  expect([rungName(candidate(1, [])), rungName(candidate(2, []))]).toEqual([
    'l4/1x1-tp1-pp1/OnDemand',
    'l4/2x1-tp1-pp2/OnDemand',
  ]);
});

const refusals: readonly Refusal[] = [
  { class: 't4', shape: '1 x T4', reason: 'Misfit', message: 'too small' },
  { class: 'odd', reason: 'NotPlaceable', message: 'no shape' },
];
const rows = [
  { cluster: 'europe', class: 'l4', shape: '1 x L4', verdict: 'Allowed', usdPerHour: 0.9776 },
  { cluster: 'europe', class: 'l4', shape: '2 nodes x 1 x L4', verdict: 'Allowed' },
  { cluster: 'europe', class: 't4', shape: '1 x T4', verdict: 'Misfit', message: 'too small' },
  { cluster: 'europe', class: 'odd', verdict: 'NotPlaceable', message: 'no shape' },
];

test.each([4, 3, 0])('S6 describeCandidates lists what is allowed, then every refusal, at most %i of them', (most) => {
  const allowed = [candidate(1, [0.9776]), candidate(2, [undefined])];
  expect(describeCandidates('europe', { allowed, refusals, endings: [] }, most)).toEqual(rows.slice(0, most));
});
