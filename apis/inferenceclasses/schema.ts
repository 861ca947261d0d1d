import { z } from 'zod';
import { Accelerator } from '../../domain/hardware/accelerator.ts';
import { ClassGuardrails } from '../../domain/hardware/guardrails.ts';
import { NodeType } from '../../domain/hardware/node-type.ts';
import { MarketName, Reservation } from '../../domain/hardware/reservation.ts';
import { ResourceStatus } from '../../domain/kubernetes/resource-status.ts';
import { withRules } from '../../domain/kubernetes/spec-rule.ts';
import { GrantStatus } from '../grant-status.ts';

export const InferenceClassSpec = withRules(
  z.object({
    accelerator: Accelerator,
    eks: z
      .object({
        amiType: z
          .enum([
            'AL2023_x86_64_NVIDIA',
            'AL2023_ARM_64_NVIDIA',
            'BOTTLEROCKET_x86_64_NVIDIA',
            'BOTTLEROCKET_ARM_64_NVIDIA',
          ])
          .default('AL2023_x86_64_NVIDIA')
          .describe(
            'EKS image type of the nodes. Default AL2023_x86_64_NVIDIA. Applies to node groups created after the change.',
          ),
        nodeTypes: z
          .array(NodeType)
          .min(1)
          .max(20)
          .describe(
            'Instance types that carry this accelerator, in the order in which they are asked for. EKS takes at most 20 in one group.',
          ),
        markets: z
          .array(MarketName)
          .min(1)
          .max(3)
          .optional()
          .describe(
            'How nodes of the class may be bought. Unset: OnDemand, and Reservation where reservations are listed. A claim chooses among them and gives their order; nodes of the spot market have the taint `modelberth.dev/spot`, and leave within two minutes.',
          ),
        reservations: z
          .array(Reservation)
          .max(32)
          .optional()
          .describe(
            'Capacity that is reserved. Each is a rung of its own, for claims that list the market Reservation; it is left before it ends. It needs provider-aws-ec2 for its launch template. Unset: none.',
          ),
        localStorage: z
          .enum(['None', 'RAID0'])
          .optional()
          .describe(
            'What holds images and weights on a node. None: the root volume. RAID0: the NVMe disks of the instance as one (AL2023 only), which needs provider-aws-ec2 for its launch template; its instances and volumes then have tags too. Default None. Applies to node groups created after the change.',
          ),
      })
      .optional()
      .describe('How EKS provides nodes of this class. Unset: only spec.pools of an InferenceCluster provide them.'),
    guardrails: ClassGuardrails.optional(),
    priceReadOn: z.iso
      .date()
      .optional()
      .describe(
        'Day on which the prices were read (YYYY-MM-DD); shown beside every price. Unset: prices are shown without a date.',
      ),
    spotPriceReadOn: z.iso
      .date()
      .optional()
      .describe(
        'Day on which prices of the spot market were read (YYYY-MM-DD); shown beside each of them. Unset: they are shown without a date.',
      ),
    priceSource: z
      .string()
      .min(1)
      .max(120)
      .optional()
      .describe(
        'Where the prices were read, e.g. `EC2 price list, eu-west-1`; shown beside every price. Unset: not shown.',
      ),
  }),
  [
    {
      rule: "!has(self.eks) || !has(self.eks.localStorage) || self.eks.localStorage == 'None' || !has(self.eks.amiType) || !self.eks.amiType.startsWith('BOTTLEROCKET')",
      message:
        'eks.localStorage is RAID0, which images other than AL2023 do not read; set eks.amiType to one of AL2023, or leave it out',
      holds: ({ eks }) => eks?.localStorage !== 'RAID0' || !eks.amiType.startsWith('BOTTLEROCKET'),
    },
    {
      rule: '!has(self.eks) || !has(self.eks.reservations) || self.eks.reservations.all(r, self.eks.reservations.exists_one(o, o.id == r.id))',
      message: 'eks.reservations lists an id twice; keep each once',
      holds: ({ eks }) => new Set(eks?.reservations?.map(({ id }) => id)).size === (eks?.reservations?.length ?? 0),
    },
    {
      rule: '!has(self.eks) || !has(self.eks.nodeTypes) || self.eks.nodeTypes.all(t, self.eks.nodeTypes.exists_one(o, o.instanceType == t.instanceType))',
      message: 'eks.nodeTypes lists an instance type twice; keep each once, in order of preference',
      holds: ({ eks }) =>
        eks === undefined ||
        new Set(eks.nodeTypes.map(({ instanceType }) => instanceType)).size === eks.nodeTypes.length,
    },
  ],
).describe('What the hardware is and how nodes of it are obtained.');
export type InferenceClassSpec = z.output<typeof InferenceClassSpec>;

export const InferenceClassStatus = z
  .object({
    admits: z
      .object({
        instanceTypes: z.array(z.string()).describe('Instance types that this class may launch.'),
        acceleratorsPerNode: z.array(z.int32()).describe('Numbers of accelerators on one node that it offers.'),
        usdPerHour: z
          .object({
            least: z.number().describe('Cheapest node in dollars per hour.'),
            most: z.number().describe('Dearest node in dollars per hour.'),
          })
          .optional()
          .describe('Range of node prices; unset while one is unknown.'),
      })
      .optional()
      .describe('What this class admits.'),
    ledger: z
      .object({
        grants: z
          .array(GrantStatus)
          .max(512)
          .optional()
          .describe('What each replica may ask for of the class, the oldest replica first.'),
      })
      .optional()
      .describe('What is granted of the class where spec.guardrails.perNamespace has a cap.'),
    resources: z.array(ResourceStatus).optional().describe('Composed resources; a class composes none.'),
  })
  .describe('What Modelberth makes of the class.');
