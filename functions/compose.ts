import type { Condition } from '../domain/kubernetes/condition.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import type { Access } from '../domain/kubernetes/remote/access.ts';
import type { HandOffEntry, HandOffRead } from './hand-off.ts';
import type { InputFields } from './input.ts';

/** What a step asks Crossplane to fetch. A name without namespace means a cluster-scoped object; no match means all of the kind. */
export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly matchName?: string;
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
}

export interface SchemaSelector {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Everything that a step requires, by the name that it gives each requirement. */
export interface Requirements {
  readonly resources: Readonly<Record<string, ResourceSelector>>;
  readonly schemas?: Readonly<Record<string, SchemaSelector>>;
}

/** The three states of a requirement: not fetched yet, fetched and nothing there, fetched. */
export type Required =
  | { readonly state: 'Unresolved' }
  | { readonly state: 'Absent' }
  | { readonly state: 'Present'; readonly objects: readonly [KubernetesObject, ...KubernetesObject[]] };

/** Whether the API server knows a kind; `Unresolved` until Crossplane has looked. */
export type RequiredSchema = 'Unresolved' | 'Absent' | 'Present';

/** What a step decides from. Everything that can change between two calls is in here. */
export interface ComposeRequest {
  /** The XR as observed: spec, metadata and the status that was last written. */
  readonly xr: KubernetesObject;
  /** Every observed composed resource of the XR by its key, those of other steps too; on another cluster as seen there. */
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  /** The same as the control plane stores them, envelopes and all; only `deliver.ts` and `settle-decision.ts` read it. */
  readonly stored: ReadonlyMap<string, KubernetesObject>;
  required(name: string): Required;
  requiredSchema(name: string): RequiredSchema;
  handOff<T>(entry: HandOffEntry<T>): HandOffRead<T>;
  /** What the Composition tells the step. */
  readonly input: InputFields;
  readonly now: Date;
  /** A new random key of 256 bits as text; used only where no earlier one is observed (S3). */
  readonly randomKey: () => string;
}

/** One resource that should exist. */
export interface Composed {
  readonly object: KubernetesObject;
  /** True only on evidence from observed objects (S5). */
  readonly ready: boolean;
  readonly state: ResourceState;
  /** Why it is in that state, in words that do not change while the state does not (S3). */
  readonly why: string;
  /** When the state began, where that matters; readers turn it into a duration. */
  readonly since?: string;
}

export type ResourceState =
  | 'Planned'
  | 'Created'
  | 'Waiting'
  | 'Ready'
  | 'Held'
  | 'Parked'
  | 'Asked'
  | 'Arriving'
  | 'Joined'
  | 'Usable'
  | 'Serving'
  | 'Draining'
  | 'NoEndpoint';

/** One row of `status.resources`: what a person asks first about each resource. */
export interface ResourceRow {
  readonly name: string;
  readonly kind: string;
  readonly state: ResourceState;
  readonly why: string;
  readonly since?: string;
}

export interface Event {
  readonly severity: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What a step wants written. A key that is observed and neither composed nor dropped stays as it is (S1). */
export interface Decision {
  readonly requirements: Requirements;
  readonly composed: ReadonlyMap<string, Composed>;
  /** How the cluster is reached that composed resources run on; unset: it is the control plane's own. */
  readonly access?: Access;
  /** Keys that may go, each with the reason; nothing else is ever removed. */
  readonly dropped?: ReadonlyMap<string, string>;
  /** Resources that will exist later, shown in the status only. */
  readonly planned?: readonly ResourceRow[];
  /** The fields of `status` that this step owns; a field that is left out is removed. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly conditions: readonly Condition[];
  readonly events?: readonly Event[];
  readonly handOffs?: readonly HandOffWrite[];
  /** Set by the step that knows whether a request would be answered; unset leaves it to the composed resources. */
  readonly ready?: boolean;
  /** Seconds to the next moment that matters; the runtime clamps it (S4). */
  readonly wakeInSeconds?: number;
}

/** A step that cannot decide: everything of it stays as it was last rendered (S1). */
export interface Freeze {
  readonly frozen: true;
  readonly requirements: Requirements;
  readonly conditions: readonly Condition[];
  /** What is composed all the same: it only looks. */
  readonly composed?: ReadonlyMap<string, Composed>;
  readonly ready?: false;
}

export interface HandOffWrite {
  readonly entry: HandOffEntry<unknown>;
  readonly value: unknown;
}

export type Compose = (request: ComposeRequest) => Decision | Freeze;
