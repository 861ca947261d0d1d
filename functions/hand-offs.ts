import { z } from 'zod';
import { group } from '../domain/kubernetes/label.ts';
import { Access } from '../domain/kubernetes/remote/access.ts';
import { CacheFormat } from '../domain/model/model-facts.ts';
import { Shape } from '../domain/shape/shape.ts';
import type { HandOffEntry } from './hand-off.ts';

/** What placement decided for a ModelDeployment: where new replicas go and what each may cost. */
export const Assignment = z.object({
  /** Cluster for new replicas; undefined while none can hold the model. */
  clusterName: z.string().optional(),
  /** Share of one replica in dollars per hour; undefined without a budget. */
  shareUsdPerHour: z.number().optional(),
});
export type Assignment = z.output<typeof Assignment>;

const PlacedPool = z.object({
  nodeSelector: z.record(z.string(), z.string()),
  taints: z.array(z.object({ key: z.string(), effect: z.string() })),
  nodes: z.array(z.string()).min(1),
});

/** The shape of a ModelReplica that has nodes, and the settings that its fit was judged with. */
export const PlacedShape = z.object({
  rung: z.string(),
  className: z.string(),
  acceleratorName: z.string(),
  vendor: z.enum(['NVIDIA', 'AMD']),
  productName: z.string(),
  shape: Shape,
  /** Node groups that hold its nodes; none on an existing pool. */
  nodeGroups: z.array(z.string()).optional(),
  /** The existing pool that has its nodes, and the granted ones. */
  pool: PlacedPool.optional(),
  allocation: z.enum(['DRA', 'DevicePlugin']),
  /** What pods may request on the smallest node type of the rung: millicores and bytes. */
  smallestNode: z.object({ cpu: z.number(), memory: z.number() }),
  weightBytes: z.number(),
  sizing: z.object({
    gpuMemoryUtilization: z.number(),
    maxModelLen: z.number(),
    maxNumSeqs: z.number(),
    maxNumBatchedTokens: z.number(),
    largestGraph: z.number().optional(),
    cacheFormat: CacheFormat.optional(),
  }),
});
export type PlacedShape = z.output<typeof PlacedShape>;

/** The workload as engine-config renders it now, and what its revision depends on. */
export const RenderedEngine = z.object({
  /** Hash of the author's template and the won shape: no defaults, fit figures, catalogue or budget. */
  revision: z.string(),
  /** Objects of the revision by their key, the workload and its claim template. */
  objects: z.record(z.string(), z.record(z.string(), z.unknown())),
  strategy: z.string(),
});
export type RenderedEngine = z.output<typeof RenderedEngine>;

export const assignmentEntry: HandOffEntry<Assignment> = {
  key: `${group}/assignment`,
  version: 1,
  writtenBy: 'placement',
  schema: Assignment,
};

/** What placement decided for a ModelReplica; without a shape while no rung has all its nodes. */
export const Placement = z.object({
  shape: PlacedShape.optional(),
  /** Nodes of the shape that is asked first; undefined when every candidate was refused. */
  preferredNodes: z.number().optional(),
  /** How the cluster is reached that the engine runs on. */
  access: Access,
  /** Namespaces whose pods may reach the engine. */
  namespaces: z.object({ gateway: z.string(), monitoring: z.string() }),
  /** Whether the cluster has the Prometheus Operator, so that a PodMonitor may be composed. */
  hasPodMonitor: z.boolean(),
});
export type Placement = z.output<typeof Placement>;

export const placementEntry: HandOffEntry<Placement> = {
  key: `${group}/placement`,
  version: 2,
  writtenBy: 'placement',
  schema: Placement,
};

/** What engine-config decided; without a rendering while there is no shape. */
export const EngineConfig = z.object({
  rendered: RenderedEngine.optional(),
  /** The workload that the preferred shape would get. */
  planned: z.object({ kind: z.string(), strategy: z.string() }).optional(),
});
export type EngineConfig = z.output<typeof EngineConfig>;

export const engineEntry: HandOffEntry<EngineConfig> = {
  key: `${group}/engine`,
  version: 1,
  writtenBy: 'engine-config',
  schema: EngineConfig,
};
