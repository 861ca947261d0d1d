import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';
import { formatTimestamp, minuteMillis } from '../units/duration.ts';

/** How capacity is bought. */
export const MarketName = z.enum(['OnDemand', 'Spot', 'Reservation']);
export type MarketName = z.output<typeof MarketName>;

/** Capacity that is reserved for a time; a rung of its own, which is left before it ends (L15). */
export const Reservation = withRules(
  z.object({
    id: z
      .string()
      .max(32)
      .regex(/^cr-[0-9a-f]+$/)
      .describe('Id of the capacity reservation or block, e.g. `cr-0a1b2c3d4e5f67890`.'),
    type: z
      .enum(['CapacityReservation', 'CapacityBlock'])
      .describe(
        'CapacityReservation: on demand, until it is cancelled. CapacityBlock: bought for a time, with an end.',
      ),
    instanceType: z
      .string()
      .max(32)
      .regex(/^[a-z0-9-]+\.[a-z0-9-]+$/)
      .describe('EC2 instance type that is reserved.'),
    zone: z.string().min(1).max(32).describe('Availability zone of the reservation, e.g. `eu-west-1a`.'),
    count: z.int32().min(1).max(1000).describe('Instances that are reserved.'),
    usdPerHour: z
      .number()
      .min(0)
      .optional()
      .describe('Price of one instance in dollars per hour. Unset: paid already.'),
    endsAt: z
      .string()
      .max(20)
      .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/)
      .optional()
      .describe('When it ends (RFC 3339, UTC). Unset: it does not end. A capacity block needs it.'),
    leadMinutes: z
      .int32()
      .min(1)
      .max(10_080)
      .optional()
      .describe(
        'Minutes before nodes leave at which a replacement is asked for; those of a capacity block leave 40 minutes before its end. Default 120.',
      ),
  }),
  [
    {
      rule: "!has(self.type) || self.type != 'CapacityBlock' || has(self.endsAt)",
      message: 'endsAt is missing: a capacity block has an end; write it',
      holds: ({ type, endsAt }) => type !== 'CapacityBlock' || endsAt !== undefined,
    },
  ],
).describe('One reservation.');
export type Reservation = z.output<typeof Reservation>;

const defaultLeadMinutes = 120;
/** EKS scales a group on a capacity block to zero this long before the end (aws.md B3, read 2026-12-01). */
const blockLeavesMinutes = 40;

/** When a replacement of a reservation is asked for, and nothing more of it (RFC 3339); undefined where it does not end. */
export function replaceAt({ type, endsAt, leadMinutes = defaultLeadMinutes }: Reservation): string | undefined {
  if (endsAt === undefined) return undefined;
  const before = leadMinutes + (type === 'CapacityBlock' ? blockLeavesMinutes : 0);
  return formatTimestamp(new Date(Date.parse(endsAt) - before * minuteMillis));
}
