import { expect, test } from 'vitest';
import { gib } from '../units/bytes.ts';
import { isOnSwitch, isUnified } from './accelerator-kind.ts';
import {
  findAccelerator,
  findByMemory,
  listAccelerators,
  suggestAccelerator,
  toAccelerator,
} from './find-accelerator.ts';

const names: readonly [string, string, string | undefined][] = [
  ['a log writes its product name', 'NVIDIA H100 80GB HBM3', 'H100'],
  ['a person writes it in small letters', 'l40s', 'L40S'],
  ['one name is in another', 'RTX 5090 Laptop 24 GB', 'RTX 5090 Laptop'],
  ['its memory decides', 'NVIDIA A100-PCIE-40GB', 'A100-40GB'],
  ['it looks like a smaller one', 'NVIDIA A10G', 'A10G'],
  ['it is of AMD', 'AMD Instinct MI325X OAM', 'MI325X'],
  ['it is not in the catalogue', 'Ascend NPU', undefined],
];

test.each(names)('findAccelerator knows an accelerator by its name when %s', (_name, text, expected) => {
  expect(findAccelerator(text)?.name).toBe(expected);
});

test('suggestAccelerator names a near one', () => {
  expect(suggestAccelerator('MI30X')).toBe('MI300X');
});

test('each accelerator sees less than its driver publishes, and is found by its own name', () => {
  const wrong = listAccelerators().filter((known) => {
    const { memory, visibleMemory } = toAccelerator(known);
    return visibleMemory > memory || visibleMemory < 0.9 * memory || findAccelerator(known.name)?.name !== known.name;
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('listAccelerators is sorted by memory, and has AMD as first-class entries', () => {
  const all = listAccelerators();
  expect(all.map(({ visibleMib }) => visibleMib)).toEqual(
    all.map(({ visibleMib }) => visibleMib).sort((a, b) => a - b),
  );
  const amd = all.filter(({ vendor }) => vendor === 'AMD').map(({ name }) => name);
  expect(amd).toEqual(['MI300X', 'MI325X', 'MI355X']);
});

test('memory that is shared with the processor, and a switch between eight, are known by name', () => {
  const of = (name: string) => ({
    name,
    productName: name,
    vendor: 'NVIDIA' as const,
    memory: gib,
    visibleMemory: gib,
  });
  expect([isUnified(of('NVIDIA GB10 (DGX Spark)')), isUnified(of('H100'))]).toEqual([true, false]);
  expect(['H100', 'NVIDIA H200', 'GB200', 'L40S', 'RTX PRO 6000'].map((name) => isOnSwitch(of(name)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

const memories: readonly [string, number, string | undefined][] = [
  ['an H100 or an A100 of 80 GB, of which the newer has the larger defaults', 79.15, 'H100'],
  ['an L40S, which has no switch', 44.4, undefined],
  ['nothing that is known', 61.7, undefined],
];

test.each(memories)(
  'findByMemory tells what stands on a switch by its memory alone: %s',
  (_name, memoryGib, expected) => {
    expect(findByMemory(memoryGib * gib)?.name.slice(0, 4)).toBe(expected);
  },
);
