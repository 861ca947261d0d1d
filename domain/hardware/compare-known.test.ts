import { describe, expect, test } from 'vitest';
import { mib } from '../units/bytes.ts';
import type { Accelerator } from './accelerator.ts';
import { compareKnown } from './compare-known.ts';
import { listAccelerators, toAccelerator } from './find-accelerator.ts';

const l4: Accelerator = {
  name: 'L4',
  vendor: 'NVIDIA',
  productName: 'NVIDIA L4',
  architecture: 'Ada Lovelace',
  memory: 23034 * mib,
  visibleMemory: 22559 * mib,
};
const { architecture: _architecture, ...unstated } = l4;

const table: readonly [string, Accelerator, readonly string[]][] = [
  ['every fact is as published', l4, []],
  ['the architecture is not stated', unstated, []],
  ['a driver of another version reserves a little more', { ...l4, memory: 22900 * mib }, []],
  [
    'the memory is that of the data sheet',
    { ...l4, memory: 24576 * mib },
    ['spec.accelerator.memory is 24Gi, and drivers publish 23034Mi for NVIDIA L4'],
  ],
  [
    'the architecture is shortened and the memory is that of another product',
    { ...l4, architecture: 'Ada', memory: 46068 * mib },
    [
      'spec.accelerator.architecture is "Ada", and drivers publish "Ada Lovelace" for NVIDIA L4',
      'spec.accelerator.memory is 46068Mi, and drivers publish 23034Mi for NVIDIA L4',
    ],
  ],
  [
    'L45 the driver of AMD publishes no architecture to compare with',
    { ...l4, vendor: 'AMD', productName: 'AMD_Instinct_MI300X_OAM', architecture: 'CDNA3', memory: 196592 * mib },
    [],
  ],
  ['nobody knows the product', { ...l4, productName: 'NVIDIA L5', memory: mib }, []],
];

describe('L2 compareKnown', () => {
  test.each(table)('says what differs when %s', (_name, accelerator, differences) => {
    expect(compareKnown(accelerator)).toEqual(differences);
  });

  test('finds nothing in what is known itself', () => {
    expect(listAccelerators().map(toAccelerator).flatMap(compareKnown)).toEqual([]);
  });
});
