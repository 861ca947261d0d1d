import { z } from 'zod';
import { ExistingPool } from '../../domain/hardware/existing-pool.ts';
import { Guardrails } from '../../domain/hardware/guardrails.ts';
import { Access } from '../../domain/kubernetes/remote/access.ts';
import { ResourceStatus } from '../../domain/kubernetes/resource-status.ts';
import { immutable, withRules } from '../../domain/kubernetes/spec-rule.ts';
import { StackPart } from '../../domain/kubernetes/stack.ts';
import { GrantStatus } from '../grant-status.ts';

const PoolGrant = z
  .object({
    namespace: z.string().describe('Namespace of the replica.'),
    replica: z.string().describe('Name of the ModelReplica.'),
    acceleratorsPerNode: z.int32().describe('Accelerators that it may take on each of its nodes.'),
    nodes: z.array(z.string()).max(8).describe('Nodes on which it may take them.'),
    since: z.string().describe('When they were granted (RFC 3339).'),
  })
  .describe('Accelerators of a pool that are for one replica.');

const PoolLedger = z
  .object({
    name: z.string().describe('Name of the pool.'),
    className: z.string().describe('InferenceClass of the pool.'),
    nodes: z.int32().describe('Nodes that have joined.'),
    usableNodes: z.int32().describe('Nodes that are Ready and schedulable.'),
    accelerators: z.int32().describe('Accelerators of the usable nodes.'),
    freeAccelerators: z.int32().describe('Accelerators of the usable nodes that are granted to nobody.'),
    freeNodes: z.int32().describe('Usable nodes of which nothing is granted.'),
    mostFreeOnNode: z.int32().describe('Free accelerators of the usable node that has most of them.'),
    grants: z.array(PoolGrant).max(256).describe('Who has what, by the age of the replica, the oldest first.'),
  })
  .describe('One existing pool.');

const Subnet = z
  .object({
    id: z
      .string()
      .max(32)
      .regex(/^subnet-[0-9a-f]+$/)
      .describe('Subnet id, e.g. `subnet-0a1b2c3d`.'),
    zone: z.string().min(1).describe('Availability zone of the subnet, e.g. `eu-west-1a`.'),
  })
  .describe('One subnet for accelerator nodes.');

function isEachOnce(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

export const InferenceClusterSpec = withRules(
  z.object({
    eks: z
      .object({
        name: withRules(z.string().min(1).max(100), [immutable('spec.eks.name')]).describe(
          'Name of the EKS cluster. It must exist; Modelberth makes no clusters. Cannot change: pools would stay on the old one.',
        ),
        region: withRules(z.string().min(1), [immutable('spec.eks.region')]).describe(
          'AWS region of the cluster, e.g. `eu-west-1`. Cannot change.',
        ),
        nodeRoleArn: z
          .string()
          .regex(/^arn:aws[a-z-]*:iam::[0-9]{12}:role\/.+$/)
          .describe('ARN of the IAM role that the nodes assume.'),
        subnets: z
          .array(Subnet)
          .min(1)
          .max(16)
          .describe(
            'Subnets that accelerator nodes may use. A pool asks in all of them: a zone refuses, another delivers (L10).',
          ),
        providerConfigName: z
          .string()
          .min(1)
          .default('default')
          .describe('ClusterProviderConfig of provider-aws that reaches the account. Default `default`.'),
      })
      .optional()
      .describe(
        'The EKS cluster in which node groups are created. Unset: nodes come from spec.pools only. Cannot be removed once set.',
      ),
    pools: z
      .array(ExistingPool)
      .max(16)
      .default([])
      .describe(
        'Pools of nodes that exist, on EKS or elsewhere, and that Modelberth never sizes. Each is a rung of the ladder for its class. Default none.',
      ),
    access: Access.prefault({ type: 'Local' }).describe(
      'How the control plane reaches the cluster. Default: it runs there.',
    ),
    allocation: z
      .enum(['DRA', 'DevicePlugin'])
      .default('DRA')
      .describe(
        'How pods get accelerators: DRA (ResourceClaimTemplate, Kubernetes 1.34 or newer) or DevicePlugin (nvidia.com/gpu, amd.com/gpu). Default DRA. Applies to revisions rendered after the change.',
      ),
    namespaces: z
      .object({
        gateway: z
          .string()
          .min(1)
          .max(63)
          .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
          .default('envoy-gateway-system')
          .describe(
            'Namespace of the gateway proxies, which may reach engines. Default `envoy-gateway-system`, where Envoy Gateway puts them.',
          ),
        monitoring: z
          .string()
          .min(1)
          .max(63)
          .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
          .default('monitoring')
          .describe('Namespace of Prometheus, which may scrape engines. Default `monitoring`.'),
      })
      .prefault({})
      .describe('Namespaces whose pods may reach an engine; everybody else is kept out by a NetworkPolicy.'),
    guardrails: Guardrails.prefault({}),
    maxNodeGroups: z
      .int32()
      .min(1)
      .max(450)
      .default(30)
      .describe(
        'Node groups that Modelberth may hold on this cluster at once. Default 30, the EKS default quota per cluster. A rung beyond it is refused with NodeGroupQuota.',
      ),
  }),
  [
    {
      rule: 'has(self.eks) || (has(self.pools) && self.pools.size() > 0)',
      message: 'the cluster has no source of nodes; set eks, or list at least one of pools',
      holds: ({ eks, pools }) => eks !== undefined || pools.length > 0,
    },
    {
      rule: '!has(oldSelf.eks) || has(self.eks)',
      message: 'eks cannot be removed: node groups of it may hold nodes; make a new InferenceCluster without it',
      holds: () => true,
    },
    {
      rule: '!has(self.eks) || !has(self.eks.subnets) || self.eks.subnets.all(s, self.eks.subnets.exists_one(o, o.id == s.id))',
      message: 'eks.subnets lists a subnet twice; keep each once',
      holds: ({ eks }) => eks === undefined || isEachOnce(eks.subnets.map(({ id }) => id)),
    },
    {
      rule: '!has(self.pools) || self.pools.all(p, self.pools.exists_one(o, o.name == p.name))',
      message: 'pools lists a name twice; give each pool its own',
      holds: ({ pools }) => isEachOnce(pools.map(({ name }) => name)),
    },
  ],
).describe('Which cluster it is, how it is reached, and what may run there.');
export type InferenceClusterSpec = z.output<typeof InferenceClusterSpec>;

export const InferenceClusterStatus = z
  .object({
    features: z
      .record(z.string(), z.boolean())
      .optional()
      .describe('Optional parts of the cluster by name; false where the API server does not know the kind.'),
    parts: z
      .array(StackPart)
      .max(32)
      .optional()
      .describe('Every part of the cluster that Modelberth can use, sorted by name, and how to get what is missing.'),
    ledger: z
      .object({
        nodes: z.int32().describe('Nodes of composed pools that have joined.'),
        usableNodes: z.int32().describe('Those that are Ready and schedulable.'),
        nodeGroups: z.int32().describe('Node groups that joined nodes belong to.'),
        classes: z
          .array(
            z
              .object({
                class: z.string().describe('InferenceClass of the nodes.'),
                nodes: z.int32().describe('Nodes that have joined.'),
                usableNodes: z.int32().describe('Nodes that are Ready and schedulable.'),
              })
              .describe('Nodes of one class.'),
          )
          .describe('Nodes by class, sorted by name.'),
        grants: z
          .array(GrantStatus)
          .max(512)
          .optional()
          .describe('What each replica may ask for where spec.guardrails.perNamespace has a cap, oldest first.'),
        pools: z.array(PoolLedger).max(16).optional().describe('Existing pools by name, with what is granted of each.'),
        freeAccelerators: z.int32().optional().describe('Free accelerators of all existing pools together.'),
      })
      .optional()
      .describe('What has joined, over all replicas.'),
    resources: z
      .array(ResourceStatus)
      .optional()
      .describe('Composed resources: what looks at a Remote cluster. A Local one composes none.'),
  })
  .describe('What Modelberth sees of the cluster.');
