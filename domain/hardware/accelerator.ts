import { z } from 'zod';
import { BytesText } from '../units/bytes.ts';

/** What one accelerator of a class is, as its driver and the engine see it. */
export const Accelerator = z
  .object({
    name: z.string().min(1).describe('Short name for people and messages, e.g. `L4`.'),
    vendor: z.enum(['NVIDIA', 'AMD']).describe('Vendor; decides the device plugin resource and the DRA driver.'),
    productName: z.string().min(1).describe('Product name as the driver publishes it, e.g. `NVIDIA L4`.'),
    architecture: z.string().optional().describe('Architecture as the driver publishes it, e.g. `Ada Lovelace`.'),
    computeCapability: z
      .string()
      .regex(/^[0-9]+\.[0-9]+$/)
      .optional()
      .describe('CUDA compute capability, e.g. `8.9`. Decides which precisions run natively.'),
    memory: BytesText.describe(
      'Memory that the driver publishes (NVML memory.total), e.g. `23034Mi`. Device selectors compare with this, never with the marketing size.',
    ),
    visibleMemory: BytesText.describe(
      'Memory that the engine sees (CUDA total), e.g. `22559Mi`. The utilisation of the engine is a share of this.',
    ),
  })
  .describe('One accelerator of this class, as its driver publishes it.');
export type Accelerator = z.output<typeof Accelerator>;
