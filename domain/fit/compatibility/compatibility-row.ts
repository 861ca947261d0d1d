import { z } from 'zod';

/** What is known of one combination, where it was read and when: a row expires when it is no longer believed. */
export const CompatibilityRow = z.strictObject({
  id: z.string().min(1),
  /** Observed: an engine loaded it and answered. KnownBroken: it failed, and nothing in the range is known to mend it. */
  state: z.enum(['Observed', 'KnownBroken']),
  architecture: z.string().min(1).optional(),
  /** Method of quantisation, or `none`; unset: any. */
  method: z.string().min(1).optional(),
  computeCapability: z.string().min(1).optional(),
  engine: z.enum(['vLLM', 'SGLang']),
  /** First release of the range as `minor * 1000 + patch`; unset: any. */
  from: z.int32().optional(),
  /** First release after the range; unset: none. */
  before: z.int32().optional(),
  says: z.string().min(1),
  /** What works instead, where something is known to. */
  works: z.string().min(1).optional(),
  link: z.string().min(1),
  readOn: z.iso.date(),
});
export type CompatibilityRow = z.output<typeof CompatibilityRow>;
