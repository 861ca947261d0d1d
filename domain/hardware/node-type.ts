import { z } from 'zod';
import { BytesText } from '../units/bytes.ts';
import { CpuText } from '../units/cpu.ts';

/** One EC2 instance type that carries the accelerator of a class. Every type is a capacity pool of its own (L7). */
export const NodeType = z
  .object({
    instanceType: z
      .string()
      .max(32)
      .regex(/^[a-z0-9-]+\.[a-z0-9-]+$/)
      .describe('EC2 instance type, e.g. `g6.xlarge`.'),
    accelerators: z.int32().min(1).max(16).describe('Accelerators on one node.'),
    allocatableCpu: CpuText.describe('CPU that pods may request on an empty node, e.g. `3920m`.'),
    allocatableMemory: BytesText.describe('Memory that pods may request on an empty node, e.g. `14162Mi`.'),
    usdPerHour: z
      .number()
      .positive()
      .optional()
      .describe('On-demand price of one node in dollars per hour. Unset: unknown, and refused under a budget.'),
    spotUsdPerHour: z
      .number()
      .positive()
      .optional()
      .describe(
        'Price of one node on the spot market in dollars per hour. EC2 charges at most the on-demand price: state that to stay within a budget for certain. Unset: unknown, and refused under a budget.',
      ),
  })
  .describe('One instance type.');
export type NodeType = z.output<typeof NodeType>;
