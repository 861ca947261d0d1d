import { z } from 'zod';
import { MarketName } from '../../domain/hardware/reservation.ts';

const Minute = z.number().int().min(0).max(100_000);
const Span = z.strictObject({
  from: Minute,
  until: Minute.optional(),
  most: z.number().int().min(1).optional().describe('Most instances at once; unset: any number.'),
});

/** When some capacity pools grant, written by hand. */
const CapacityRow = z.strictObject({
  instanceType: z.string().describe('EC2 instance type.'),
  zones: z.array(z.string()).min(1).optional().describe('Zones; unset: every zone of the cluster.'),
  market: MarketName.default('OnDemand').describe('How it is bought. Default OnDemand.'),
  grants: z
    .array(Span)
    .describe('Minutes in which a launch is granted; without `until` for good. Everything else is refused.'),
});

/** Worlds that are drawn from the statistics of public traces. */
const Draw = z.strictObject({
  deployments: z.array(z.string()).min(1).describe('ModelDeployments of the claims; each world has one.'),
  plenty: z
    .strictObject({ least: z.number().positive().max(2), most: z.number().positive().max(2) })
    .default({ least: 1, most: 1 })
    .describe(
      'Factor on the share of time in which pools grant, drawn for each world between two bounds. Default 1: as in the traces.',
    ),
  hangingShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.25)
    .describe('Share of worlds in which a raise stays in progress while capacity is refused. Default 0.25.'),
  firstSeed: z.number().int().min(1).default(1).describe('Seed of the first world; the next ones count up. Default 1.'),
});

const Cloud = z.strictObject({
  bootMinutes: z
    .strictObject({ least: z.number().int().min(1), most: z.number().int().min(1) })
    .default({ least: 2, most: 4 })
    .describe('From a launch until the node has joined. Default 2 to 4.'),
  loadMinutes: z.number().int().min(0).default(7).describe('From the last node until the engine answers. Default 7.'),
  createMinutes: z.number().int().min(1).default(2).describe('Until an empty node group is ACTIVE. Default 2.'),
  giveUpMinutes: z
    .number()
    .int()
    .min(1)
    .default(36)
    .describe('Until a group without its nodes is CREATE_FAILED. Default 36.'),
  retryMinutes: z.number().int().min(1).default(2).describe('Between two tries of an Auto Scaling group. Default 2.'),
  raiseHangs: z
    .boolean()
    .default(false)
    .describe(
      'Whether a raise stays in progress while capacity is refused, so that nothing can be parked. Default false.',
    ),
  hangMinutes: z.number().int().min(1).default(60).describe('How long at most. Default 60.'),
  pollMinutes: z
    .number()
    .int()
    .min(1)
    .default(10)
    .describe('Between two looks of the provider at a group. Default 10.'),
});

const EditRow = z.strictObject({
  atMinute: Minute,
  kind: z.enum(['InferenceClass', 'InferenceCluster', 'ModelDeployment', 'NodeGroup']),
  name: z.string(),
  set: z.record(z.string(), z.unknown()).describe('Values by the path of their field; null removes it.'),
});

/** What happens beside the refusals. */
const Accidents = z.strictObject({
  edits: z.array(EditRow).default([]),
  nodeLosses: z.array(z.strictObject({ atMinute: Minute, zone: z.string().optional() })).default([]),
  blind: z
    .array(z.strictObject({ from: Minute, until: Minute }))
    .default([])
    .describe('Nothing new is seen of the cloud.'),
  down: z
    .array(z.strictObject({ from: Minute, until: Minute }))
    .default([])
    .describe('No function runs.'),
  statusLosses: z.array(Minute).default([]).describe('The status of every XR is lost.'),
});

/** What `modelberth simulate` plays: claims, and either capacity as written or worlds as drawn. */
export const Scenario = z
  .strictObject({
    description: z.string().describe('What the scenario shows.'),
    claims: z
      .array(z.string())
      .min(1)
      .describe('Files or folders with the platform and the deployments, beside the scenario.'),
    deployment: z.string().optional().describe('The ModelDeployment that is played where capacity is written by hand.'),
    horizonMinutes: z
      .number()
      .int()
      .min(10)
      .max(20_000)
      .default(1440)
      .describe('Minutes that a world lasts. Default 1440.'),
    afterMinutes: z
      .number()
      .int()
      .min(0)
      .default(120)
      .describe('Minutes that a world goes on once it is served. Default 120.'),
    cloud: Cloud.prefault({}),
    capacity: z.array(CapacityRow).optional(),
    draw: Draw.optional(),
    accidents: Accidents.prefault({}),
  })
  .refine(({ capacity, draw }) => (capacity === undefined) !== (draw === undefined), {
    path: ['draw'],
    message: 'a scenario has either "capacity" or "draw"; remove one',
  })
  .refine(({ capacity, deployment }) => capacity === undefined || deployment !== undefined, {
    path: ['deployment'],
    message: 'capacity is written for one deployment; name it',
  })
  .refine(({ draw }) => draw === undefined || draw.plenty.least <= draw.plenty.most, {
    path: ['draw', 'plenty', 'least'],
    message: 'is more than "most"; swap them',
  })
  .refine(({ cloud: { bootMinutes } }) => bootMinutes.least <= bootMinutes.most, {
    path: ['cloud', 'bootMinutes', 'least'],
    message: 'is more than "most"; swap them',
  });
export type Scenario = z.output<typeof Scenario>;
