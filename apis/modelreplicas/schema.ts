import { z } from 'zod';
import { Engine } from '../../domain/engine/engine.ts';
import { Conformance } from '../../domain/evidence/conformance.ts';
import { Load } from '../../domain/fit/load.ts';
import { ResourceStatus } from '../../domain/kubernetes/resource-status.ts';
import { Model } from '../../domain/model/model.ts';
import { RolloutPolicy } from '../../domain/rollout/rollout-policy.ts';
import { Drain } from '../../domain/workload/drain.ts';
import { PodSettings } from '../../domain/workload/pod-settings.ts';
import { validations } from '../definition.ts';
import { FitStatus } from '../fit-status.ts';
import { FlagStatus } from '../flag-status.ts';
import { CandidateStatus, PlacementPolicy } from '../modeldeployments/schema.ts';

export const ReplicaTemplate = z
  .object({ model: Model, load: Load, engine: Engine, drain: Drain.optional(), pod: PodSettings.optional() })
  .describe('What the replica runs, copied from the ModelDeployment. A change is a new revision.');
export type ReplicaTemplate = z.output<typeof ReplicaTemplate>;

export const ModelReplicaSpec = z
  .object({
    deploymentName: z.string().min(1).describe('ModelDeployment that this replica belongs to.'),
    index: z.int32().min(0).describe('Index of the replica; it keeps its nodes through every revision.'),
    clusterName: z.string().min(1).describe('InferenceCluster of the replica, for life.'),
    template: ReplicaTemplate,
    placement: PlacementPolicy,
    rollout: RolloutPolicy.optional(),
    conformance: Conformance.optional(),
    usdPerHour: z
      .number()
      .positive()
      .optional()
      .describe('Share of the budget in dollars per hour: everything asked at once stays below it. Unset: no bound.'),
    traffic: z
      .enum(['Serve', 'Drain', 'Detach'])
      .default('Serve')
      .describe(
        'Serve: the gateway may send requests. Drain: it sends no new ones. Detach: the Service selects no pod either, so that callers of the last replica get 503 and not 500. Default Serve. Set by the ModelDeployment.',
      ),
  })
  .meta(
    validations({
      rule: 'self.clusterName == oldSelf.clusterName',
      message:
        'clusterName cannot change: a replica keeps its cluster for life; scale up elsewhere, then drain this one',
    }),
  )
  .describe('One serving copy of a model. Composed by a ModelDeployment; edit that instead.');
export type ModelReplicaSpec = z.output<typeof ModelReplicaSpec>;

const PoolAsk = z
  .object({
    pool: z.string().describe('Name of the pool under spec.pools of its InferenceCluster.'),
    nodes: z.int32().describe('Nodes that it wants.'),
    acceleratorsPerNode: z.int32().describe('Accelerators that it wants on each of them.'),
    holds: z.array(z.string()).max(8).describe('Granted nodes that exist; empty while nothing is granted.'),
    lost: z
      .array(z.string())
      .max(8)
      .describe('Granted nodes that are gone, and replaced ones that its engine has not left yet.'),
  })
  .describe('Accelerators of one existing pool.');

const ClassAsk = z
  .object({
    class: z.string().describe('InferenceClass.'),
    usdPerHour: z.number().describe('Price of everything of the class that is asked for, in dollars per hour.'),
    accelerators: z.int32().describe('Accelerators of everything of the class that is asked for.'),
    wantedUsdPerHour: z.number().describe('The price with what it would ask for next.'),
    wantedAccelerators: z.int32().describe('The accelerators with what it would ask for next.'),
  })
  .describe('What it has and wants of one class.');

const RungStatus = z
  .object({
    rung: z.string().describe('Class, shape, and market or pool.'),
    state: z.string().describe('Free, Parked, Asked, Arriving, Joined, Usable, Serving or Draining.'),
    usdPerHour: z
      .number()
      .optional()
      .describe('Price with the dearest listed node type, in dollars per hour; absent while it is unknown.'),
    nodes: z.string().describe('Joined of wanted nodes, e.g. `0 of 1`.'),
    askedAt: z.string().optional().describe('When it was asked for nodes (RFC 3339).'),
    evidence: z
      .string()
      .optional()
      .describe('What the provider last said, which decides nothing; of a pool, what the ledger says.'),
  })
  .describe('One rung of the capacity ladder.');

export const ModelReplicaStatus = z
  .object({
    fit: FitStatus.optional(),
    usdPerHour: z.number().optional().describe('Price of everything that is asked for, in dollars per hour.'),
    wantedUsdPerHour: z
      .number()
      .optional()
      .describe(
        'The same with what it would ask for next, where the namespace has a cap: the ledger grants it or not.',
      ),
    accelerators: z
      .int32()
      .optional()
      .describe('Accelerators of everything that is asked for, where the namespace has a cap on them.'),
    wantedAccelerators: z
      .int32()
      .optional()
      .describe('The same with what it would ask for next: the ledger grants it or not.'),
    byClass: z
      .array(ClassAsk)
      .max(8)
      .optional()
      .describe('What it has and wants of each class that has caps of its own; the ledger of the class grants it.'),
    pools: z
      .array(PoolAsk)
      .max(8)
      .optional()
      .describe(
        'What it has or wants of the existing pools of its cluster; the ledger grants it, and it gives back what it lists no more.',
      ),
    candidates: z
      .array(CandidateStatus)
      .max(20)
      .optional()
      .describe('Candidates that were refused and why; at most 20.'),
    ladder: z.array(RungStatus).max(12).optional().describe('Rungs in order, at most 12.'),
    shape: z.string().optional().describe('Shape that has nodes, e.g. `1 x L4`.'),
    class: z.string().optional().describe('InferenceClass of the rung that has nodes.'),
    zone: z
      .string()
      .optional()
      .describe('Zones of the nodes of that rung, from their labels, sorted, with commas between them.'),
    next: z.string().optional().describe('What happens next if no node joins.'),
    engine: z
      .object({
        endpoint: z
          .object({
            service: z.string().describe('Headless Service of the replica.'),
            port: z.int32().describe('Port that the engine listens on.'),
            protocols: z.array(z.string()).describe('Protocols that the engine speaks: OpenAI, Anthropic.'),
          })
          .describe('Where the gateway reaches the engine.'),
        args: z.array(z.string()).describe('Arguments of the engine that runs, else of the one that is rendered.'),
        flags: z
          .array(FlagStatus)
          .max(96)
          .optional()
          .describe(
            'The flags among the arguments, each once, sorted by name, with who set it and why; one that runs with another value than the claim asks for is left out.',
          ),
      })
      .optional()
      .describe('The engine that runs, else as it is rendered for the shape that has nodes.'),
    revision: z
      .object({
        current: z.string().describe('Hash of what the claim asks for with the won shape.'),
        live: z.string().optional().describe('Hash of what the workload was rendered from.'),
        strategy: z.string().describe('Update strategy and why.'),
        authorHash: z
          .string()
          .optional()
          .describe('Hash of the fields of the ModelDeployment that the current revision was made from.'),
      })
      .optional()
      .describe('Revisions of the replica.'),
    conformance: z
      .object({
        revision: z.string().describe('Hash of the revision that runs.'),
        verdict: z.string().describe('Waiting, Passed, Failed, NotRun, or NotChecked.'),
        failure: z.string().optional().describe('The case that failed first, with what was found and wanted.'),
        firstTokenMillis: z
          .object({
            median: z.number().describe('Half of the answers began sooner.'),
            ninetyFifth: z.number().describe('95 of 100 answers began sooner.'),
          })
          .optional()
          .describe('Milliseconds to the first token while it was tried; absent where its pod cannot be read.'),
        tokensPerSecond: z.number().optional().describe('Output tokens per second of one answer, the median.'),
      })
      .optional()
      .describe('What the check of the revision that runs showed.'),
    lastFailure: z.string().optional().describe('Last words of an engine that ended with an error.'),
    resources: z.array(ResourceStatus).optional().describe('Composed resources with state and reason.'),
  })
  .describe('What Modelberth makes of the replica.');
