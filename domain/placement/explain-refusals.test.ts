import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reason } from '../kubernetes/condition.ts';
import { explainRefusals } from './explain-refusals.ts';
import type { Refusal } from './refuse-candidate.ts';

function refusal(name: string, reason: Refusal['reason'], shape: string | undefined = `1 x ${name}`): Refusal {
  return { class: name, reason, message: `${reason} of ${name}`, ...(shape === '' ? {} : { shape }) };
}

const table: readonly [string, readonly Refusal[], Reason, string][] = [
  ['no class has the memory', [refusal('l4', 'Misfit')], 'Misfit', 'l4 (1 x l4): Misfit of l4'],
  [
    'L3 one class would hold it and costs too much',
    [refusal('l4', 'Misfit'), refusal('l40s', 'OverBudget')],
    'OverBudget',
    'l4 (1 x l4): Misfit of l4; l40s (1 x l40s): OverBudget of l40s',
  ],
  [
    'L3 the only class has too little memory and costs too much, so that more money would not help',
    [refusal('l4', 'Misfit'), refusal('l4', 'OverBudget')],
    'Misfit',
    'l4 (1 x l4): Misfit of l4; l4 (1 x l4): OverBudget of l4',
  ],
  [
    'a fact is unknown and the price is too high, so that the fact comes first',
    [refusal('l4', 'Unsupported'), refusal('l4', 'OverBudget')],
    'Unsupported',
    'l4 (1 x l4): Unsupported of l4; l4 (1 x l4): OverBudget of l4',
  ],
  [
    'a small shape misfits and a larger one of the class costs too much',
    [refusal('t4', 'Misfit', '1 x T4'), refusal('t4', 'OverBudget', '4 x T4')],
    'OverBudget',
    't4 (1 x T4): Misfit of t4; t4 (4 x T4): OverBudget of t4',
  ],
  ['a fact is unknown', [refusal('l4', 'Unsupported')], 'Unsupported', 'l4 (1 x l4): Unsupported of l4'],
  [
    'a class has no shape for the model',
    [refusal('odd', 'NotPlaceable', '')],
    'NotPlaceable',
    'odd: NotPlaceable of odd',
  ],
  [
    'more than five lines would be said',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => refusal(name, 'Misfit')),
    'Misfit',
    ['a', 'b', 'c', 'd', 'e'].map((name) => `${name} (1 x ${name}): Misfit of ${name}`).join('; '),
  ],
  [
    'two candidates are refused in the same words',
    [refusal('l4', 'Misfit'), refusal('l4', 'Misfit')],
    'Misfit',
    'l4 (1 x l4): Misfit of l4',
  ],
];

test('explainRefusals names a broken guardrail once and before everything else', () => {
  const breach = { reason: 'GuardrailRefused', message: 'spec.engine.image is not allowed' } as const;
  const refusals = [
    { ...refusal('l4', 'Misfit'), ...breach },
    refusal('l4', 'Misfit'),
    { ...refusal('l40s', 'Misfit'), ...breach },
  ];
  expect(explainRefusals('qwen', refusals)).toEqual({
    type: 'Placed',
    status: 'False',
    reason: 'GuardrailRefused',
    message: 'Cannot place "qwen": spec.engine.image is not allowed',
  });
});

test('explainRefusals says beside a guardrail, which its owner may lift, what refuses the class that has none', () => {
  const breach = { ...refusal('l40s', 'Misfit'), reason: 'GuardrailRefused', message: 'the class refuses it' } as const;
  expect(explainRefusals('qwen', [refusal('l4', 'Misfit'), breach, refusal('l40s', 'OverBudget')])).toEqual({
    type: 'Placed',
    status: 'False',
    reason: 'GuardrailRefused',
    message:
      'Cannot place "qwen": l4 (1 x l4): Misfit of l4; l40s (1 x l40s): the class refuses it; l40s (1 x l40s): OverBudget of l40s',
  });
});

test.each(table)('explainRefusals says why nothing can be placed when %s', (_name, refusals, reason, lines) => {
  expect(explainRefusals('qwen', refusals)).toEqual({
    type: 'Placed',
    status: 'False',
    reason,
    message: `Cannot place "qwen": ${lines}`,
  });
});

const someRefusals = fc.array(
  fc.record({
    class: fc.constantFrom('a', 'b', 'c'),
    shape: fc.constantFrom('1 x', '2 x'),
    reason: fc.constantFrom<Refusal['reason'][]>('Misfit', 'Unsupported', 'OverBudget', 'NotPlaceable'),
    message: fc.constantFrom('first', 'second'),
  }),
  { minLength: 1, maxLength: 20 },
);

test('L3 explainRefusals says OverBudget only when some candidate is refused by its price alone', () => {
  fc.assert(
    fc.property(someRefusals, (refusals) => {
      const { reason } = explainRefusals('qwen', refusals);
      const candidate = ({ class: name, shape }: Refusal) => `${name} ${shape}`;
      const otherwise = new Set(refusals.filter((one) => one.reason !== 'OverBudget').map(candidate));
      const byPriceAlone = refusals.some((one) => one.reason === 'OverBudget' && !otherwise.has(candidate(one)));
      expect([reason === 'OverBudget', refusals.some((one) => one.reason === reason)]).toEqual([byPriceAlone, true]);
    }),
  );
});
