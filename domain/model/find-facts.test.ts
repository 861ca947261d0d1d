import fc from 'fast-check';
import { expect, test } from 'vitest';
import catalogueJson from './catalogue.json' with { type: 'json' };
import { Catalogue } from './catalogue-row.ts';
import { catalogueNames, findFacts } from './find-facts.ts';
import { ModelFacts } from './model-facts.ts';

const llama = 'meta-llama/Llama-3.1-8B-Instruct';
const rows = Catalogue.parse(catalogueJson);

test('the catalogue has the model of the hello example with the geometry of its config.json', () => {
  const { facts, suggestion } = findFacts(llama, undefined);
  expect(suggestion).toBeUndefined();
  // config.json of meta-llama/Llama-3.1-8B-Instruct; 14.96 GiB of weight files, 2026-12-01.
  expect(facts).toMatchObject({
    attention: 'Full',
    layers: 32,
    hiddenSize: 4096,
    intermediateSize: 14336,
    attentionHeads: 32,
    keyValueHeads: 8,
    headSize: 128,
    vocabularySize: 128256,
    maxContextTokens: 131072,
    precision: 'bf16',
  });
  expect((facts.weightBytes ?? 0) / 2 ** 30).toBeCloseTo(14.96, 2);
});

const stated: readonly [string, string, ModelFacts | undefined, ModelFacts, Readonly<Record<string, string>>][] = [
  ['the model is unknown and nothing is stated', 'a/b', undefined, {}, {}],
  ['the model is unknown and the claim states facts', 'a/b', { layers: 12 }, { layers: 12 }, { layers: 'claim' }],
  ['the name is what every object inherits', 'constructor', undefined, {}, {}],
];

test.each(stated)('findFacts finds what is stated and nothing else when %s', (_name, name, claim, facts, origins) => {
  const found = findFacts(name, claim);
  expect({ facts: found.facts, origins: found.origins }).toEqual({ facts, origins });
});

test('the claim wins over the catalogue, fact by fact, and each fact says where it is from', () => {
  const someClaim = fc.record(
    {
      layers: fc.integer({ min: 1, max: 200 }),
      keyValueHeads: fc.integer({ min: 1, max: 64 }),
      weightBytes: fc.integer({ min: 1, max: 1e12 }),
      architecture: fc.constant('MyForCausalLM'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.constantFrom(...catalogueNames(), 'a/b'), someClaim, (name, claim) => {
      const known = Object.hasOwn(rows, name) ? (rows[name]?.facts ?? {}) : {};
      const { facts, origins } = findFacts(name, claim);
      expect(facts).toEqual({ ...known, ...claim });
      const expected = Object.keys(facts).map((field) => [field, Object.hasOwn(claim, field) ? 'claim' : 'catalogue']);
      expect(origins).toEqual(Object.fromEntries(expected));
    }),
  );
});

const suggestions: readonly [string, string, string | undefined][] = [
  ['a letter is missing', 'meta-llama/Llama-3.1-8B-Instruc', llama],
  ['the case is wrong', 'meta-llama/llama-3.1-8b-instruct', llama],
  ['two letters are swapped', 'meta-lalma/Llama-3.1-8B-Instruct', llama],
  ['the name is known', llama, undefined],
  ['nothing is like it', 'stabilityai/stable-diffusion-3.5-large', undefined],
  ['it is one word', 'x', undefined],
];

test.each(suggestions)('findFacts suggests a name only where one is near when %s', (_name, name, expected) => {
  expect(findFacts(name, undefined).suggestion).toBe(expected);
});

test('L4 every row of the catalogue names its sources and days, and its bytes say how they were learnt', () => {
  const today = '2026-12-31';
  const wrong = Object.entries(rows).filter(([name, row]) => {
    const isSourced = row.geometrySource !== '' && row.readOn <= today && row.readOn >= '2026-01-01';
    const isNamed = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
    const hasBytes = row.facts.weightBytes !== undefined;
    return (
      !isSourced ||
      !isNamed ||
      hasBytes !== (row.weightSource !== undefined) ||
      hasBytes !== (row.weightBasis !== undefined)
    );
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
  expect(Object.keys(rows).length).toBeGreaterThan(5);
});

test('the key-value heads of every row with full attention divide its attention heads', () => {
  const wrong = Object.entries(rows).filter(([, { facts }]) => {
    const { attention, attentionHeads = 0, keyValueHeads = 1 } = facts;
    return attention === 'Full' && attentionHeads % keyValueHeads !== 0;
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
});

test('S2 the catalogue is sorted, so that two changes to it do not meet', () => {
  expect(Object.keys(catalogueJson)).toEqual(Object.keys(catalogueJson).sort());
});

test('the facts of every row are facts that a claim could state', () => {
  const wrong = Object.entries(rows).filter(([, { facts }]) => !ModelFacts.safeParse(facts).success);
  expect(wrong.map(([name]) => name)).toEqual([]);
});

/**
 * Weights of a dense model with full attention, from its geometry: embedding and head, and in each layer the four
 * projections of attention and the three of the feed-forward network. Undefined where a size is unknown.
 */
function denseWeights(facts: ModelFacts, heads: 1 | 2): number | undefined {
  const { layers, hiddenSize, intermediateSize, attentionHeads, keyValueHeads, headSize, vocabularySize } = facts;
  if (layers === undefined || hiddenSize === undefined || intermediateSize === undefined) return undefined;
  if (attentionHeads === undefined || keyValueHeads === undefined || headSize === undefined) return undefined;
  if (vocabularySize === undefined) return undefined;
  const attention = 2 * hiddenSize * headSize * (attentionHeads + keyValueHeads);
  return heads * vocabularySize * hiddenSize + layers * (attention + 3 * hiddenSize * intermediateSize);
}

test('L4 the bytes of a dense unquantised model are twice its weights, so that no digit was mistyped', () => {
  const dense = Object.entries(rows).filter(([, { facts }]) => {
    const isPlain = facts.experts === undefined && facts.quantisation === undefined && facts.multimodal !== true;
    return facts.attention === 'Full' && isPlain && facts.encoder === undefined && facts.valueHeadSize === undefined;
  });
  const compared = dense.flatMap(([name, { facts }]) => {
    // A file may hold the head of tied embeddings a second time.
    const weights = [denseWeights(facts, 1), denseWeights(facts, 2)].filter((count) => count !== undefined);
    if (facts.weightBytes === undefined || weights.length === 0) return [];
    const errors = weights.map((count) => Math.abs((facts.weightBytes ?? 0) / (2 * count) - 1));
    return [{ name, error: Math.round(100 * Math.min(...errors)) }];
  });
  expect(compared.length).toBeGreaterThan(5);
  expect(compared.filter(({ error }) => error > 2)).toEqual([]);
});
