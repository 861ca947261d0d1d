import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelFacts } from '../model/model-facts.ts';
import { isLegalTensorSize, listShapes } from './list-shapes.ts';
import { formatShape } from './shape.ts';

const llama: ModelFacts = { attentionHeads: 32, keyValueHeads: 8 };

const legal: readonly [string, ModelFacts, readonly number[]][] = [
  ['both kinds of heads can be divided', llama, [1, 2, 4, 8]],
  ['key-value heads are repeated on more ranks than there are of them', { ...llama, keyValueHeads: 4 }, [1, 2, 4, 8]],
  ['there are 40 heads', { attentionHeads: 40, keyValueHeads: 8 }, [1, 2, 4, 8]],
  ['there is one key-value head for all', { attentionHeads: 12, keyValueHeads: 1 }, [1, 2, 3, 4, 6]],
  ['key-value heads neither divide nor are divided', { attentionHeads: 48, keyValueHeads: 6 }, [1, 2, 3, 6]],
  ['heads are odd', { attentionHeads: 7, keyValueHeads: 7 }, [1, 7]],
  ['key-value heads are unknown', { attentionHeads: 12 }, [1, 2, 3, 4, 6]],
  ['heads are unknown, so that only one whole copy is sure', {}, [1]],
];

test.each(legal)('isLegalTensorSize admits what divides the heads when %s', (_name, facts, expected) => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].filter((size) => isLegalTensorSize(facts, size))).toEqual(expected);
});

const listed: readonly [string, readonly number[], readonly string[]][] = [
  ['node types have one accelerator', [1, 1], ['1x1-tp1-pp1']],
  ['node types come in any order and twice', [8, 1, 4, 1], ['1x1-tp1-pp1', '1x4-tp4-pp1', '1x8-tp8-pp1']],
  ['a number cannot divide the heads', [1, 3], ['1x1-tp1-pp1']],
  ['no number can', [3, 5], []],
  ['there are no node types', [], []],
];

test.each(listed)('listShapes lists each legal shape once, smallest first, when %s', (_name, counts, expected) => {
  expect(listShapes(llama, counts, 1).map(formatShape)).toEqual(expected);
});

test('listShapes uses every accelerator of the node and only legal sizes', () => {
  const someHeads = fc.integer({ min: 1, max: 128 });
  const someCounts = fc.array(fc.integer({ min: 1, max: 16 }), { maxLength: 6 });
  fc.assert(
    fc.property(someHeads, someHeads, someCounts, (attentionHeads, keyValueHeads, counts) => {
      const facts = { attentionHeads, keyValueHeads };
      const shapes = listShapes(facts, counts, 1);
      const sizes = shapes.map((shape) => shape.acceleratorsPerNode);
      expect(sizes).toEqual(
        [...new Set(counts)].sort((a, b) => a - b).filter((size) => isLegalTensorSize(facts, size)),
      );
      for (const shape of shapes) {
        const ranks = shape.tensorParallelSize * shape.pipelineParallelSize;
        expect([ranks, attentionHeads % shape.tensorParallelSize]).toEqual([
          shape.nodes * shape.acceleratorsPerNode,
          0,
        ]);
      }
    }),
  );
});
