import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceleratorCount, describeShape, formatShape, parseShape, type Shape } from './shape.ts';

function shape(nodes: number, acceleratorsPerNode: number, tensor: number, pipeline: number): Shape {
  return { nodes, acceleratorsPerNode, tensorParallelSize: tensor, pipelineParallelSize: pipeline };
}

const described: readonly [string, Shape, [string, string, number]][] = [
  ['one accelerator is enough', shape(1, 1, 1, 1), ['1x1-tp1-pp1', '1 x L4', 1]],
  ['a node has several', shape(1, 8, 8, 1), ['1x8-tp8-pp1', '8 x L4', 8]],
  ['L9 two nodes of one form a gang', shape(2, 1, 1, 2), ['2x1-tp1-pp2', '2 nodes x 1 x L4', 2]],
];

test.each(described)('a shape has a word, a phrase and a count when %s', (_name, value, expected) => {
  expect([formatShape(value), describeShape(value, 'L4'), acceleratorCount(value)]).toEqual(expected);
});

const unreadable: readonly [string, string][] = [
  ['it is empty', ''],
  ['a size is missing', '1x1-tp1'],
  ['a size is zero', '0x1-tp1-pp1'],
  ['a size is no number', '1xa-tp1-pp1'],
  ['a size is negative', '-1x1-tp1-pp1'],
  ['something follows', '1x1-tp1-pp1/OnDemand'],
  ['a size is larger than any machine', '1x99999999999-tp1-pp1'],
];

test.each(unreadable)('parseShape says that it is none when %s', (_name, text) => {
  expect(parseShape(text)).toBeUndefined();
});

const someSize = fc.integer({ min: 1, max: 1024 });

test('S2 parseShape undoes formatShape for every shape, none of its sizes lost', () => {
  const someShape = fc.record({
    nodes: someSize,
    acceleratorsPerNode: someSize,
    tensorParallelSize: someSize,
    pipelineParallelSize: someSize,
  });
  fc.assert(
    fc.property(someShape, (value) => {
      expect(parseShape(formatShape(value))).toEqual(value);
    }),
  );
});
