import type { Accelerator } from './accelerator.ts';
import type { Guardrails } from './guardrails.ts';
import type { NodeType } from './node-type.ts';

/** A named kind of hardware that a claim may ask for: the decision's view of an InferenceClass. */
export interface HardwareClass {
  readonly name: string;
  readonly accelerator: Accelerator;
  readonly nodeTypes: readonly NodeType[];
  readonly amiType: string;
  readonly priceReadOn?: string;
}

/** An EKS cluster as placement sees it: the decision's view of an InferenceCluster. */
export interface Cluster {
  readonly name: string;
  readonly eksName: string;
  readonly region: string;
  readonly nodeRoleArn: string;
  readonly subnets: readonly Subnet[];
  readonly providerConfigName: string;
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
