import type { z } from 'zod';
import type { Condition, ConditionType, Reason } from '../domain/kubernetes/condition.ts';
import { formatIssues } from '../domain/kubernetes/field-path.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import { findOverlayFaults } from '../domain/workload/find-overlay-faults.ts';
import type { PodSettings } from '../domain/workload/pod-settings.ts';
import type { Composed, Freeze, Requirements } from './compose.ts';

/** A freeze that says in one condition why the step cannot decide. */
export function freezeBecause(
  requirements: Requirements,
  { type, reason, message }: { readonly type: ConditionType; readonly reason: Reason; readonly message: string },
): Freeze {
  return { frozen: true, requirements, conditions: [{ type, status: 'Unknown', reason, message }] };
}

/** A freeze that goes on looking at a Remote cluster; its collections being ready says nothing about the XR. */
export function freezeWatching(
  requirements: Requirements,
  conditions: readonly Condition[],
  collections: ReadonlyMap<string, Composed>,
): Freeze {
  const watching = collections.size === 0 ? {} : { composed: collections, ready: false as const };
  return { frozen: true, requirements, conditions, ...watching };
}

export type SpecRead<T> =
  | { readonly state: 'Valid'; readonly spec: T }
  | { readonly state: 'Invalid'; readonly why: string };

/** Says what of the overlay of a claim cannot be merged, which no schema can tell; undefined where all of it can. */
export function refuseOverlay(object: KubernetesObject, pod: PodSettings | undefined): string | undefined {
  const faults = findOverlayFaults(pod ?? {});
  if (faults.length === 0) return undefined;
  return `Cannot read ${object.kind} "${object.metadata.name ?? ''}": ${faults.slice(0, 5).join('; ')}; correct the field`;
}

/** Reads the spec of an object of ours; the message names each field as the user typed it. */
export function readSpec<T>(object: KubernetesObject, schema: z.ZodType<T>): SpecRead<T> {
  const read = schema.safeParse(object.spec);
  if (read.success) return { state: 'Valid', spec: read.data };
  const subject = `${object.kind} "${object.metadata.name ?? ''}"`;
  return {
    state: 'Invalid',
    why: `Cannot read ${subject}: ${formatIssues(['spec'], read.error.issues)}; correct the field`,
  };
}
