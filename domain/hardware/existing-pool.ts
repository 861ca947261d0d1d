import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';
import { BytesText } from '../units/bytes.ts';
import { CpuText } from '../units/cpu.ts';

/** Keys and values of labels as Kubernetes takes them (apimachinery IsQualifiedName, IsValidLabelValue). */
const qualifiedName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const mostLabels = 16;

const Taint = z
  .object({
    key: z.string().max(253).regex(qualifiedName).describe('Key of the taint, e.g. `amd.com/gpu`.'),
    effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).describe('Effect of the taint.'),
  })
  .describe('A taint that engines tolerate, whatever its value.');

const NodeSelector = withRules(z.record(z.string(), z.string().max(63).regex(labelValue)), [
  {
    rule: 'self.size() > 0',
    message: 'nodeSelector is empty, which every node matches; state labels that only the nodes of the pool have',
    holds: (labels) => Object.keys(labels).length > 0,
  },
  {
    rule: `self.all(key, key.matches('${qualifiedName.source.replaceAll('\\/', '/')}'))`,
    message: 'nodeSelector has a key that is no label key; write it as the nodes have it',
    holds: (labels) => Object.keys(labels).every((key) => qualifiedName.test(key)),
  },
  {
    rule: `self.size() <= ${mostLabels}`,
    message: `nodeSelector has more than ${mostLabels} labels; state those that tell the nodes of the pool apart`,
    holds: (labels) => Object.keys(labels).length <= mostLabels,
  },
])
  .meta({ maxProperties: mostLabels })
  .describe(
    'Labels that all nodes of the pool have, and no other node has. Modelberth neither adds nor removes nodes.',
  );

const PoolNode = z
  .object({
    accelerators: z.int32().min(1).max(16).describe('Accelerators on one node.'),
    allocatableCpu: CpuText.describe('CPU that pods may request on an empty node, e.g. `96` or `95500m`.'),
    allocatableMemory: BytesText.describe('Memory that pods may request on an empty node, e.g. `1400Gi`.'),
    usdPerHour: z
      .number()
      .positive()
      .optional()
      .describe(
        'Price of one whole node in dollars per hour; a replica that takes a part of its accelerators pays that part. Unset: unknown, comes after every known price, and is refused under a budget or a cap.',
      ),
  })
  .describe('What one node of the pool is. All nodes of a pool are alike.');

/** Nodes that exist and that Modelberth never sizes: another provider's, or bare metal. */
export const ExistingPool = z
  .object({
    name: z
      .string()
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe('Name of the pool on this cluster, e.g. `vultr-mi300x`. Another name is another pool.'),
    className: z.string().min(1).max(63).describe('InferenceClass of its accelerators.'),
    nodeSelector: NodeSelector,
    node: PoolNode,
    taints: z
      .array(Taint)
      .max(16)
      .default([])
      .describe('Taints of the nodes, so that engines tolerate them. Default none.'),
  })
  .describe(
    'Nodes that exist, for the engines of Modelberth alone. The ledger grants their accelerators to replicas, the oldest first.',
  );
export type ExistingPool = z.output<typeof ExistingPool>;
