import type { Engine } from '../engine/engine.ts';
import type { Vendor } from '../hardware/vendor.ts';
import type { Model } from '../model/model.ts';
import type { Shape } from '../shape/shape.ts';
import type { Bytes } from '../units/bytes.ts';
import type { Millicores } from '../units/cpu.ts';
import type { Drain } from './drain.ts';
import type { PodSettings } from './pod-settings.ts';

/** Nodes of an existing pool on which accelerators are granted. */
export interface PoolNodes {
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly effect: string }[];
  readonly nodes: readonly string[];
}

/** Everything that the manifests of one replica are made from. */
export interface WorkloadQuestion {
  readonly replica: string;
  readonly namespace: string;
  /** Labels of every object of the replica. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels by which Service, policies and Deployment find the pods; they never change. */
  readonly selector: Readonly<Record<string, string>>;
  readonly revision: string;
  readonly rung: string;
  readonly model: Model;
  readonly engine: Engine;
  readonly args: readonly string[];
  readonly shape: Shape;
  readonly vendor: Vendor;
  readonly productName: string;
  readonly allocation: 'DRA' | 'DevicePlugin';
  /** Node groups that hold its nodes; unset on an existing pool. */
  readonly nodeGroups?: readonly string[] | undefined;
  /** The existing pool that has its nodes, and those that are granted to it. */
  readonly pool?: PoolNodes | undefined;
  readonly smallestNode: { readonly cpu: Millicores; readonly memory: Bytes };
  readonly weightBytes: Bytes;
  /** How its pods end; unset: as is best for most. */
  readonly drain?: Drain | undefined;
  /** What the author says of its pods. */
  readonly pod?: PodSettings | undefined;
}
