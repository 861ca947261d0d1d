import { expect, test } from 'vitest';
import { findAccelerator, toAccelerator } from '../../hardware/find-accelerator.ts';
import { vendorNotes } from './vendor-notes.ts';

function notesFor(name: string, method: string | undefined): readonly string[] {
  const known = findAccelerator(name);
  if (known === undefined) throw new Error(`the catalogue lacks ${name}`);
  return vendorNotes(toAccelerator(known), method === undefined ? {} : { quantisation: { method, weightBits: 8 } });
}

const rows: readonly [string, string, string | undefined, readonly string[]][] = [
  ['it is of NVIDIA', 'H100', 'fp8', []],
  ['it is of AMD', 'MI300X', undefined, ['ROCm', 'CUDA', 'expandable_segments']],
  ['it is of AMD and the weights are FP8', 'MI325X', 'fp8', ['ROCm', 'CUDA', 'expandable_segments', 'CDNA3']],
  ['it is of AMD and the weights are NVFP4', 'MI355X', 'nvfp4', ['ROCm', 'CUDA', 'expandable_segments', 'NVFP4']],
];

test.each(rows)('L45 vendorNotes names what differs when %s', (_name, accelerator, method, words) => {
  const notes = notesFor(accelerator, method);
  expect(notes.length).toBe(words.length);
  for (const [index, word] of words.entries()) expect(notes[index]).toContain(word);
});
