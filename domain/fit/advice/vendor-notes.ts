import type { Accelerator } from '../../hardware/accelerator.ts';
import type { ModelFacts } from '../../model/model-facts.ts';

/** What differs on accelerators of AMD, as far as it touches the verdict; nothing for NVIDIA, on which the terms were measured. */
export function vendorNotes(accelerator: Accelerator, { quantisation }: ModelFacts): readonly string[] {
  if (accelerator.vendor !== 'AMD') return [];
  const notes = [
    'AMD: spec.engine.image has to be built for ROCm, which its name does not prove',
    'AMD: the terms are those of the same engine on CUDA; one start on ROCm agrees to 0.1 GiB (f139), none on MI300X was found',
    'AMD: expandable_segments is a setting of CUDA, so only the headroom guards against fragmentation',
  ];
  if (quantisation?.method === 'fp8')
    notes.push('AMD: CDNA3 (MI300X, MI325X) has another FP8 than checkpoints; the engine converts it while it loads');
  if (quantisation?.method === 'nvfp4')
    notes.push('AMD: NVFP4 is a format of NVIDIA; take an MXFP4 or FP8 copy of the checkpoint');
  return notes;
}
