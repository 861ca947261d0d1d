import { expect, test } from 'vitest';
import type { Condition } from '../kubernetes/condition.ts';
import { gib } from '../units/bytes.ts';
import { describeFit, fitsCondition } from './describe-fit.ts';
import type { Fit, Misfit, Verdict } from './verdict.ts';

const sizing = { gpuMemoryUtilization: 0.9, maxModelLen: 16_384, maxNumSeqs: 8, maxNumBatchedTokens: 2048 };

const fit: Fit = {
  verdict: 'Fit',
  tight: false,
  terms: [
    { name: 'visible', bytes: 22.0302734375 * gib, origin: 'hardware' },
    { name: 'kvCache', bytes: 4.42617 * gib, origin: 'formula' },
  ],
  kvTokens: 36_256,
  concurrency: 2.212890625,
  sizing,
  computed: sizing,
  minimum: 17 * gib,
  host: { memory: 12 * gib, disk: 20 * gib, sharedMemory: gib },
  compatibility: { state: 'Claimed' },
  warnings: [],
};

const misfit: Misfit = {
  verdict: 'Misfit',
  terms: fit.terms,
  shortfall: 3.76369 * gib,
  fittingContextTokens: 34_688,
  sizing: { ...sizing, maxModelLen: 65_536 },
  computed: sizing,
  minimum: fit.minimum,
  host: fit.host,
  compatibility: fit.compatibility,
  warnings: [],
};

const { fittingContextTokens: _advice, ...hopeless } = misfit;

const terms = [
  { name: 'visible', gib: 22.03, origin: 'hardware' },
  { name: 'kvCache', gib: 4.43, origin: 'formula' },
];

const statuses: readonly [string, Verdict, Readonly<Record<string, unknown>>][] = [
  ['it fits', fit, { verdict: 'Fit', tight: false, terms, kvTokens: 36_256, concurrency: 2.2, contextTokens: 16_384 }],
  ['it does not fit', misfit, { verdict: 'Misfit', terms, contextTokens: 65_536, shortfallGib: 3.76 }],
  [
    'a fact is unknown',
    { verdict: 'Unsupported', missing: ['spec.model.facts.layers'] },
    { verdict: 'Unsupported', missing: ['spec.model.facts.layers'] },
  ],
];

test.each(statuses)('S3 describeFit shows rounded figures when %s', (_name, verdict, expected) => {
  expect(describeFit(verdict)).toMatchObject(expected);
});

test('L19 describeFit shows what a node needs, and every contradiction of the author', () => {
  const warnings = ['spec.engine.args sets --max-num-seqs to "64" and spec.load gives "8"; the args win'];
  const host = { memoryGib: 12, diskGib: 20, sharedMemoryGib: 1 };
  expect(describeFit({ ...misfit, warnings })).toMatchObject({ host, warnings });
  expect(describeFit(fit)).toMatchObject({ host });
  expect(describeFit(fit)).not.toHaveProperty('warnings');
});

const conditions: readonly [string, Verdict, Omit<Condition, 'type'>][] = [
  [
    'it fits with room',
    fit,
    {
      status: 'True',
      reason: 'Comfortable',
      message: 'KV cache 4.4 GiB holds 36256 tokens, 2.2 requests of 16384 tokens at once on 1 x L4',
    },
  ],
  [
    'it fits without room',
    { ...fit, tight: true },
    {
      status: 'True',
      reason: 'Tight',
      message: 'KV cache 4.4 GiB holds 36256 tokens, 2.2 requests of 16384 tokens at once on 1 x L4',
    },
  ],
  [
    'a shorter context would fit',
    misfit,
    {
      status: 'False',
      reason: 'Misfit',
      message: 'Short by 3.8 GiB on 1 x L4; it would hold 34688 tokens of context',
    },
  ],
  ['no context would fit', hopeless, { status: 'False', reason: 'Misfit', message: 'Short by 3.8 GiB on 1 x L4' }],
  [
    'facts are unknown',
    { verdict: 'Unsupported', missing: ['spec.model.facts.layers', 'spec.model.facts.headSize'] },
    {
      status: 'Unknown',
      reason: 'Unsupported',
      message:
        'Cannot say whether it fits 1 x L4: unknown spec.model.facts.layers, spec.model.facts.headSize; state it in the claim',
    },
  ],
];

test.each(conditions)(
  'fitsCondition says what is known and what would change it when %s',
  (_name, verdict, expected) => {
    expect(fitsCondition(verdict, '1 x L4')).toEqual({ type: 'Fits', ...expected });
  },
);

test('fitsCondition names the memory that the node lacks when the accelerator has enough', () => {
  const { message } = fitsCondition({ ...hopeless, shortfall: 0, hostShortfall: 3 * gib }, '1 x L4');
  expect(message).toContain('3.0 GiB');
  expect(message).not.toContain(' 0.0 GiB');
});

test('L18 fitsCondition names both values where an argument of the author contradicts the claim', () => {
  const warning = 'spec.engine.args sets --max-num-seqs to "64" and spec.load gives "8"; the args win';
  expect(fitsCondition({ ...fit, warnings: [warning] }, '1 x L4').message).toMatch(
    /at once on 1 x L4; spec\.engine\.args sets --max-num-seqs to "64" and spec\.load gives "8"; the args win$/,
  );
});
