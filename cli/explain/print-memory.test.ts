import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExplainedMemory, ExplainedTerm } from './explain-memory.ts';
import { printBar, printMemory } from './print-memory.ts';

const where = { accelerator: 'L4', class: 'l4', shape: '1 x L4', missing: [], warnings: [] };
const term = (
  name: ExplainedTerm['name'],
  gib: number,
  origin: ExplainedTerm['origin'] = 'formula',
): ExplainedTerm => ({
  name,
  gib,
  origin,
});
const fit: ExplainedMemory = {
  ...where,
  verdict: 'Fit',
  tight: false,
  kvTokens: 36240,
  concurrency: 2.2,
  contextTokens: 16384,
  terms: [
    term('visible', 22, 'hardware'),
    term('requested', 20, 'default'),
    { ...term('weights', 15, 'file'), source: 'shipped catalogue' },
    term('activation', 0.3),
    term('nonTorch', 0.2),
    term('graphs', 0.1),
    term('kvCache', 4.4),
    term('headroom', 2, 'default'),
  ],
};

test('printMemory shows a fit with each term, its origin, and a bar of the width', () => {
  expect(printMemory({ ...fit, warnings: ['args win'] }, 60)).toEqual([
    '',
    'Memory of each L4, 1 x L4 of class "l4"',
    '  Fits: 36240 tokens of KV cache, 2.2 requests of 16384',
    '    tokens at once',
    '  [WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWANGKKKKKKKKKKK.....]',
    '  W weights        15.00 GiB  file: shipped catalogue',
    '  A activation      0.30 GiB  formula',
    '  N non-torch       0.20 GiB  formula',
    '  G CUDA graphs     0.10 GiB  formula',
    '  K KV cache        4.40 GiB  formula',
    '  . headroom        2.00 GiB  default',
    '  The engine sees 22.00 GiB (hardware) and takes 20.00 GiB',
    '    of it (default)',
    '  Warning: args win',
  ]);
});

test('printMemory shows a misfit with its shortfall and where the memory ends', () => {
  const terms = [term('visible', 22), term('requested', 20), term('weights', 60), term('headroom', 2, 'default')];
  const { kvTokens: _tokens, concurrency: _concurrency, ...rest } = fit;
  const lines = printMemory({ ...rest, verdict: 'Misfit', shortfallGib: 40.5, terms }, 60);
  expect(lines.slice(2, 5)).toEqual([
    '  Misfit: short by 40.50 GiB for one request of 16384',
    '    tokens',
    '  [WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW..]',
  ]);
  expect(lines[5]).toBe('         end of memory ^');
});

test('printMemory has the words beside the mark where the memory ends near the left', () => {
  expect(printBar([term('visible', 10), term('weights', 90), term('headroom', 10)], 44)[1]).toBe(
    '       ^ end of memory',
  );
});

test('printMemory names the missing facts where there is no figure', () => {
  const { kvTokens: _tokens, concurrency: _concurrency, ...rest } = fit;
  const missing = ['spec.model.facts.layers'];
  expect(printMemory({ ...rest, verdict: 'Unsupported', terms: [], missing }, 100)).toEqual([
    '',
    'Memory of each L4, 1 x L4 of class "l4"',
    '  Unknown: spec.model.facts.layers; state it in the claim',
  ]);
});

test('printMemory marks what no term claims, as when the author states the bytes of the cache', () => {
  const terms = [term('visible', 20), term('weights', 10), term('headroom', 2)];
  expect(printBar(terms, 24)).toEqual(['  [WWWWWWWWWW..--------]']);
});

test('the bar is as wide as the text, whatever the terms', () => {
  const gib = fc.double({ min: 0, max: 200, noNaN: true });
  fc.assert(
    fc.property(gib, gib, gib, gib, fc.integer({ min: 40, max: 200 }), (visible, weights, kvCache, headroom, width) => {
      fc.pre(weights + kvCache + headroom > 0);
      const [bar = ''] = printBar(
        [term('visible', visible), term('weights', weights), term('kvCache', kvCache), term('headroom', headroom)],
        width,
      );
      expect(bar.length).toBe(width);
      expect(bar).toMatch(/^ {2}\[W*K*\.*-*\]$/);
    }),
  );
});
