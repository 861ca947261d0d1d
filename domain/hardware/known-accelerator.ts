import { z } from 'zod';

/** One accelerator of the shipped catalogue: what the fit and the estimate of speed need, with source and date. */
export const KnownAccelerator = z.strictObject({
  name: z.string().min(1),
  vendor: z.enum(['NVIDIA', 'AMD']),
  productName: z.string().min(1),
  architecture: z.string().min(1),
  computeCapability: z.string().min(1),
  /** What the driver publishes. */
  memoryMib: z.int32().positive(),
  /** What the engine multiplies by its utilisation. */
  visibleMib: z.int32().positive(),
  /** Processor and accelerator share one memory, so every other process and the page cache count as used. */
  unifiedMemory: z.boolean().optional(),
  bandwidthGbs: z.number().positive(),
  /** Dense rates in 10^12 operations a second. */
  tflops: z.strictObject({
    bf16: z.number().positive().optional(),
    fp8: z.number().positive().optional(),
    fp4: z.number().positive().optional(),
  }),
  /** Bandwidth between accelerators of one node in GB/s; 0 means PCIe. */
  linkGbs: z.number().min(0),
  /** Lower-case names under which logs and product lists know it. */
  alsoKnownAs: z.array(z.string().min(1)).min(1),
  source: z.string().min(1),
  readOn: z.iso.date(),
});
export type KnownAccelerator = z.output<typeof KnownAccelerator>;
