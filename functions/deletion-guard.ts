/**
 * The Usage that protects an XR from deletion, e.g. by a GitOps prune, which would take everything composed with it.
 * It depends on one field only, so it is decided beside the steps: one that cannot decide protects all the same, and
 * takes no protection away (S1).
 */
import type { Condition } from '../domain/kubernetes/condition.ts';
import { inUseLabel } from '../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readPath } from '../domain/kubernetes/object.ts';
import { renderUsage } from '../domain/kubernetes/usage.ts';
import { judgeReadiness } from '../domain/readiness/judge-readiness.ts';
import type { Composed } from './compose.ts';
import type { FunctionName } from './steps.ts';

/** The kinds that can be protected: by which step, under which key, and for which reason. */
const protectable: Readonly<
  Record<string, { readonly step: FunctionName; readonly key: string; readonly reason: string }>
> = {
  ModelDeployment: {
    step: 'rollout-strategy',
    key: 'guard-deployment',
    reason:
      'Deleting it would give back accelerators that may not be had again; set spec.deletionProtection to false first',
  },
  InferenceGateway: {
    step: 'gateway',
    key: 'guard-gateway',
    reason: 'Deleting it would take the address from every caller; set spec.deletionProtection to false first',
  },
};

export interface Guard {
  readonly composed: ReadonlyMap<string, Composed>;
  readonly dropped: ReadonlyMap<string, string>;
  readonly conditions: readonly Condition[];
}

const none: Guard = { composed: new Map(), dropped: new Map(), conditions: [] };

export interface GuardQuestion {
  readonly xr: KubernetesObject;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  readonly isFrozen: boolean;
}

/** What a step does about the protection of an XR; nothing where that is another step's, or the spec cannot be read. */
export function guardDeletion(name: FunctionName, { xr, observed, isFrozen }: GuardQuestion): Guard {
  const kind = Object.hasOwn(protectable, xr.kind) ? protectable[xr.kind] : undefined;
  if (kind?.step !== name || !isRecord(xr.spec)) return none;
  const usage = observed.get(kind.key);
  if (readPath(xr, ['spec', 'deletionProtection']) === true) {
    const object = renderUsage(xr, kind.reason);
    return { ...none, composed: new Map([[kind.key, describe(object, usage)]]), conditions: [protectedBy(xr, usage)] };
  }
  if (isFrozen) return none;
  const dropped = new Map(usage === undefined ? [] : [[kind.key, 'spec.deletionProtection is not set']]);
  return { ...none, dropped, conditions: noLonger(xr) };
}

function describe(object: KubernetesObject, usage: KubernetesObject | undefined): Composed {
  if (usage === undefined) return { object, ready: false, state: 'Created', why: 'will refuse deletion' };
  const ready = judgeReadiness(usage) === 'Ready';
  return ready
    ? { object, ready, state: 'Ready', why: 'refuses deletion' }
    : { object, ready, state: 'Waiting', why: 'Crossplane has not taken it up' };
}

/** The label on the object itself is the evidence: Crossplane refuses to delete what has it (crossplane v2.4.0, read 2026-12-02). */
function protectedBy(xr: KubernetesObject, usage: KubernetesObject | undefined): Condition {
  const isMarked = xr.metadata.labels?.[inUseLabel] === 'true';
  if (isMarked && usage !== undefined && judgeReadiness(usage) === 'Ready') {
    const message = 'Crossplane refuses to delete it until spec.deletionProtection is false';
    return { type: 'DeletionProtected', status: 'True', reason: 'UsageActive', message };
  }
  const message = `Cannot protect ${xr.kind} "${xr.metadata.name ?? ''}" yet: Crossplane has not marked it as in use; if it stays so, start Crossplane with --enable-webhooks`;
  return { type: 'DeletionProtected', status: 'False', reason: 'UsageNotActive', message };
}

/** Core keeps a condition that is not said again: where protection was said once, its end is said too. */
function noLonger(xr: KubernetesObject): readonly Condition[] {
  const conditions = readList(xr, ['status', 'conditions']).filter(isRecord);
  if (!conditions.some(({ type }) => type === 'DeletionProtected')) return [];
  const message = 'spec.deletionProtection is not set: whoever deletes it takes everything that it holds';
  return [{ type: 'DeletionProtected', status: 'False', reason: 'NotProtected', message }];
}
