import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import type { Candidate } from '../../../domain/placement/candidate.ts';
import type { GroupTimes } from '../cloud/node-groups.ts';
import type { Capacity } from './capacity.ts';

/** Minutes from and until something lasts. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

/** Nodes that die, in one zone or in all. */
export interface NodeLoss {
  readonly atMinute: number;
  readonly zone?: string | undefined;
}

/** A change that a person makes to an object while the world runs. */
export interface Edit {
  readonly atMinute: number;
  readonly kind: string;
  readonly name: string;
  /** Values by the path of their field, e.g. `spec.placement.classes`. */
  readonly set: Readonly<Record<string, unknown>>;
}

/** Everything that happens to one claim, whichever policy runs it: drawn or written before any policy acts. */
export interface World {
  readonly seed: number;
  readonly claim: WorldClaim;
  readonly capacity: Capacity;
  readonly usdPerHour: ReadonlyMap<string, number>;
  readonly bootMinutes: { readonly least: number; readonly most: number };
  /** From the moment when all nodes have joined until the engine answers. */
  readonly loadMinutes: number;
  readonly groupTimes: GroupTimes;
  /** Between two looks of the provider at a group that it does not change. */
  readonly pollMinutes: number;
  readonly horizonMinutes: number;
  /** Minutes that a world goes on once it is served, to see what becomes of what was asked beside. */
  readonly afterMinutes: number;
  readonly nodeLosses: readonly NodeLoss[];
  readonly edits: readonly Edit[];
  /** Nothing new is seen of the cloud in these minutes. */
  readonly blind: readonly Window[];
  /** No function runs in these minutes. */
  readonly down: readonly Window[];
  /** The status of every XR is lost in these minutes: a restart, a restore, an apply that failed. */
  readonly statusLosses: readonly number[];
}

/** What is asked for: the objects that people wrote, and the ladder that follows from them. */
export interface WorldClaim {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
  readonly namespace: string;
  readonly deployment: string;
  /** The candidates that the claim allows, in order. */
  readonly rungs: readonly Candidate[];
  readonly zones: readonly string[];
  readonly budget: number | undefined;
}

export function isWithin(windows: readonly Window[], minute: number): boolean {
  return windows.some(({ from, until }) => minute >= from && minute < until);
}
