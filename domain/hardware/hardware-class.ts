import type { Accelerator } from './accelerator.ts';
import type { ExistingPool } from './existing-pool.ts';
import type { ClassGuardrails, Guardrails } from './guardrails.ts';
import type { NodeType } from './node-type.ts';
import type { MarketName, Reservation } from './reservation.ts';

/** A named kind of hardware that a claim may ask for: the decision's view of an InferenceClass. */
export interface HardwareClass {
  readonly name: string;
  readonly accelerator: Accelerator;
  /** Instance types that carry it on EKS; empty where only existing pools provide it. */
  readonly nodeTypes: readonly NodeType[];
  /** Image type of its nodes on EKS; unset where only existing pools provide it. */
  readonly amiType?: string;
  /** How its nodes may be bought; unset: on demand only. */
  readonly markets?: readonly MarketName[];
  /** Capacity of it that is reserved on EKS. */
  readonly reservations?: readonly Reservation[];
  readonly priceReadOn?: string;
  /** Day on which prices of the spot market were read. */
  readonly spotPriceReadOn?: string;
  /** Where the prices were read. */
  readonly priceSource?: string;
  /** What holds images and weights on its nodes: the root volume, or the disks of the instance as one; unset: None. */
  readonly localStorage?: 'None' | 'RAID0';
  /** What it demands of claims beside what the cluster demands. */
  readonly guardrails?: ClassGuardrails;
}

/** Where node groups are created, and in whose name. */
export interface EksAccess {
  readonly name: string;
  readonly region: string;
  readonly nodeRoleArn: string;
  readonly subnets: readonly Subnet[];
  readonly providerConfigName: string;
}

/** A cluster as placement sees it: the decision's view of an InferenceCluster. */
export interface Cluster {
  readonly name: string;
  /** Unset where nodes come from existing pools only. */
  readonly eks?: EksAccess;
  readonly pools: readonly ExistingPool[];
  readonly allocation: 'DRA' | 'DevicePlugin';
  /** Namespaces whose pods may reach an engine. */
  readonly namespaces: { readonly gateway: string; readonly monitoring: string };
  readonly maxNodeGroups: number;
  readonly guardrails: Guardrails;
  /** Whether gangs can run there; undefined while nobody has looked. */
  readonly hasLeaderWorkerSet?: boolean;
}

export interface Subnet {
  readonly id: string;
  readonly zone: string;
}
