import type { Engine } from '../engine/engine.ts';
import type { Model } from '../model/model.ts';
import type { Shape } from '../shape/shape.ts';
import type { Bytes } from '../units/bytes.ts';
import type { Millicores } from '../units/cpu.ts';

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
  readonly vendor: 'NVIDIA' | 'AMD';
  readonly productName: string;
  readonly allocation: 'DRA' | 'DevicePlugin';
  readonly nodeGroups: readonly string[];
  readonly smallestNode: { readonly cpu: Millicores; readonly memory: Bytes };
  readonly weightBytes: Bytes;
}
