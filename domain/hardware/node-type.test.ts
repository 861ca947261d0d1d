import { expect, test } from 'vitest';
import { mib } from '../units/bytes.ts';
import { NodeType } from './node-type.ts';

const g6 = {
  instanceType: 'g6.xlarge',
  accelerators: 1,
  allocatableCpu: '3920m',
  allocatableMemory: '14162Mi',
  usdPerHour: 0.8048,
};

test('L7 a node type is read in millicores, bytes and dollars', () => {
  expect(NodeType.parse(g6)).toEqual({
    instanceType: 'g6.xlarge',
    accelerators: 1,
    allocatableCpu: 3920,
    allocatableMemory: 14_162 * mib,
    usdPerHour: 0.8048,
  });
});

test('L3 a node type without a price is read, so that only a budget refuses it', () => {
  const { usdPerHour: _price, ...unpriced } = g6;
  expect(NodeType.parse(unpriced).usdPerHour).toBeUndefined();
});

const refused: readonly [string, Readonly<Record<string, unknown>>][] = [
  ['it costs nothing, which is not the same as unknown', { usdPerHour: 0 }],
  ['it carries no accelerator', { accelerators: 0 }],
  ['it carries half of one', { accelerators: 0.5 }],
  ['its name has no size', { instanceType: 'g6' }],
  ['its name is in upper case', { instanceType: 'G6.xlarge' }],
  ['its memory has no Kubernetes suffix', { allocatableMemory: '14 GB' }],
  ['its cpu is a fraction', { allocatableCpu: '3.92' }],
];

test.each(refused)('a node type is refused when %s', (_name, changed) => {
  expect(NodeType.safeParse({ ...g6, ...changed }).success).toBe(false);
});
