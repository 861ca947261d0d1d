import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ResourceSelector, SchemaSelector } from '../../functions/compose.ts';

/** What one reconcile of an XR came to, whoever ran it: our runner, or the core binary. */
export interface RenderOutput {
  /** The XR with the status that would be written, its conditions Synced and Ready among them. */
  readonly composite: KubernetesObject;
  /** Composed resources as they would be applied, sorted by their key. */
  readonly composed: readonly KubernetesObject[];
  /** Observed composed resources that would be deleted. */
  readonly deleted: readonly KubernetesObject[];
  readonly events: readonly RenderEvent[];
  readonly requiredResources: readonly ResourceSelector[];
  readonly requiredSchemas: readonly SchemaSelector[];
}

export interface RenderEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}
