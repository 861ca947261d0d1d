import { expect, test } from 'vitest';
import { mib } from '../units/bytes.ts';
import { Accelerator } from './accelerator.ts';

const l4 = {
  name: 'L4',
  vendor: 'NVIDIA',
  productName: 'NVIDIA L4',
  computeCapability: '8.9',
  memory: '23034Mi',
  visibleMemory: '22559Mi',
};

test('L2 an accelerator keeps what the driver publishes and what the engine sees apart', () => {
  expect(Accelerator.parse(l4)).toEqual({ ...l4, memory: 23_034 * mib, visibleMemory: 22_559 * mib });
});

const refused: readonly [string, Readonly<Record<string, unknown>>][] = [
  ['its vendor is none that has a driver here', { vendor: 'Intel' }],
  ['it has no product name, by which devices are selected', { productName: '' }],
  ['its memory is a number without a unit of ours', { memory: '23GB' }],
  ['its memory is not stated', { visibleMemory: undefined }],
  ['its compute capability is no version', { computeCapability: 'sm_89' }],
];

test.each(refused)('an accelerator is refused when %s', (_name, changed) => {
  expect(Accelerator.safeParse({ ...l4, ...changed }).success).toBe(false);
});
