import { z } from 'zod';
import { Engine } from '../../domain/engine/engine.ts';
import { Conformance } from '../../domain/evidence/conformance.ts';
import { Load } from '../../domain/fit/load.ts';
import { MarketName } from '../../domain/hardware/reservation.ts';
import { ResourceStatus } from '../../domain/kubernetes/resource-status.ts';
import { type SpecRule, withRules } from '../../domain/kubernetes/spec-rule.ts';
import { Model } from '../../domain/model/model.ts';
import { RolloutPolicy } from '../../domain/rollout/rollout-policy.ts';
import { Drain } from '../../domain/workload/drain.ts';
import { PodSettings } from '../../domain/workload/pod-settings.ts';
import { FitStatus } from '../fit-status.ts';

const placementFields = {
  classes: z
    .array(z.string().min(1).max(63))
    .min(1)
    .max(8)
    .describe(
      'InferenceClasses that may hold the model, in order of preference. Each is a rung of the capacity ladder.',
    ),
  mostNodes: z
    .int32()
    .min(1)
    .max(8)
    .default(2)
    .describe(
      'Most nodes that one replica may spread over, each with its share of the layers (pipeline parallel). Default 2. Several nodes are used only where fewer would not hold the model, and need LeaderWorkerSet.',
    ),
  prefer: z
    .enum(['Price', 'FewestNodes'])
    .default('Price')
    .describe('Which shape of a class is asked first: the cheapest, or the one with the fewest nodes. Default Price.'),
  patienceMinutes: z
    .int32()
    .min(1)
    .max(1440)
    .default(12)
    .describe('Minutes without all nodes after which the next rung is asked beside the earlier one. Default 12.'),
  zones: z
    .enum(['Any', 'Same'])
    .optional()
    .describe(
      'Whether the nodes of one replica may lie in several zones: Any, or Same for a gang that needs one, which is then asked for zone by zone. Default Any.',
    ),
  markets: withRules(z.array(MarketName).min(1).max(3), [
    {
      rule: 'self.all(m, self.exists_one(o, o == m))',
      message: 'placement.markets lists a market twice; keep each once, in order of preference',
      holds: (markets) => new Set(markets).size === markets.length,
    },
  ])
    .optional()
    .describe(
      'How capacity may be bought, in order of preference: each class is asked for on the first market, then on the next, before the next class. Unset: OnDemand. A market on which a class is not bought is refused for it.',
    ),
  hedge: z
    .int32()
    .min(1)
    .max(4)
    .default(2)
    .describe('Rungs that one replica may ask at once. Default 2. Everything asked stays within the budget.'),
};

const eachClassOnce: SpecRule<{ readonly classes: readonly string[] }> = {
  rule: 'self.classes.all(c, self.classes.exists_one(o, o == c))',
  message: 'placement.classes lists a class twice; keep each once, in order of preference',
  holds: ({ classes }) => new Set(classes).size === classes.length,
};

export const PlacementPolicy = withRules(z.object(placementFields), [eachClassOnce]).describe(
  'Where the model may run and how long to wait for capacity.',
);
export type PlacementPolicy = z.output<typeof PlacementPolicy>;

const Budget = z
  .object({
    usdPerHour: z
      .number()
      .positive()
      .describe(
        'Upper bound of everything asked for at once, over all replicas, in dollars per hour. Each replica gets an equal share.',
      ),
  })
  .describe('What the deployment may cost.');

export const ModelDeploymentSpec = z
  .object({
    model: Model,
    load: Load,
    engine: Engine,
    pod: PodSettings.optional(),
    placement: withRules(
      z.object({
        clusterName: z
          .string()
          .min(1)
          .optional()
          .describe(
            'InferenceCluster for new replicas. Unset: the first by name that can hold the model. A replica never moves by itself.',
          ),
        ...placementFields,
      }),
      [eachClassOnce],
    ).describe('Where the model may run and how long to wait for capacity.'),
    budget: Budget.optional(),
    rollout: z
      .object({ ...Drain.shape, ...RolloutPolicy.shape })
      .optional()
      .describe('How a new revision replaces the old one.'),
    conformance: Conformance.optional(),
    deletionProtection: z
      .boolean()
      .default(false)
      .describe(
        'Whether Crossplane refuses to delete this object, so that a GitOps prune cannot take its accelerators. Default false. Set it to false before deleting; scaling down is not refused.',
      ),
    replicas: z
      .int32()
      .min(0)
      .max(32)
      .default(1)
      .describe(
        'Serving copies of the model. Default 1. Set by kubectl scale too; scaling down releases the highest index first.',
      ),
  })
  .describe('Which model, for which load, on which hardware, within which budget.');
export type ModelDeploymentSpec = z.output<typeof ModelDeploymentSpec>;

export const CandidateStatus = z
  .object({
    cluster: z.string().describe('InferenceCluster.'),
    class: z.string().describe('InferenceClass.'),
    shape: z.string().optional().describe('Nodes and accelerators, e.g. `1 x L4`.'),
    verdict: z.string().describe('Allowed, or the reason of the refusal.'),
    usdPerHour: z
      .number()
      .optional()
      .describe('Price of one replica with the dearest listed node type, in dollars per hour.'),
    priceReadOn: z.string().optional().describe('Day on which its price was read.'),
    priceSource: z.string().optional().describe('Where its price was read.'),
    message: z.string().optional().describe('Why it was refused and what would change that.'),
  })
  .describe('One way to hold a replica.');

export const ModelDeploymentStatus = z
  .object({
    model: z
      .object({
        shape: z.string().describe('Shape of the preferred candidate, e.g. `1 x L4`.'),
        class: z.string().describe('InferenceClass of the preferred candidate.'),
        priceReadOn: z.string().optional().describe('Day on which its price was read.'),
        priceSource: z.string().optional().describe('Where its price was read.'),
      })
      .optional()
      .describe('The preferred candidate in short.'),
    fit: FitStatus.optional(),
    usdPerHour: z
      .number()
      .optional()
      .describe('Price of all replicas on the preferred candidate, in dollars per hour, cheapest node type.'),
    candidates: z
      .array(CandidateStatus)
      .max(32)
      .optional()
      .describe('Every way to hold a replica and why others were refused; at most 32.'),
    replicas: z
      .object({
        total: z.int32().describe('Replicas that exist.'),
        ready: z.int32().describe('Replicas whose engine answers.'),
        updated: z.int32().describe('Replicas with the template of the current claim.'),
      })
      .optional()
      .describe('Replicas, counted from what is observed.'),
    selector: z.string().optional().describe('Label selector of the replicas, for the scale subresource.'),
    resources: z.array(ResourceStatus).optional().describe('Composed resources with state and reason.'),
  })
  .describe('What Modelberth makes of the claim.');
