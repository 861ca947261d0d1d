/**
 * Reconciles of our XRs through the real functions, as core makes them: what a pass no longer composes is deleted, then
 * what it composes is applied, then its status is written. A pass is left out while everything that the last one read
 * is as it was and the time at which it wanted to look again has not come, since the functions answer the same state with the
 * same bytes (S3, S4); `control-plane.test.ts` makes all passes and compares.
 */
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import type { Decision, Freeze, ResourceSelector } from '../../../functions/compose.ts';
import { applyDefaults } from '../../crossplane/apply-defaults.ts';
import { callInProcess } from '../../crossplane/in-process-functions.ts';
import { type InstalledKind, readInstalledKinds } from '../../crossplane/package-files.ts';
import { keyOf, reconcileComposite } from '../../crossplane/reconcile-composite.ts';
import { findObjects, identityOf } from '../../crossplane/world.ts';
import { assumeInstalled } from '../../render/assume-installed.ts';
import type { ObjectStore } from './object-store.ts';

export interface ControlPlane {
  /** Reconciles an XR once if a pass could change anything; whether it made one. */
  reconcile(xr: KubernetesObject, now: Date): Promise<boolean>;
}

/** What a pass read, and when it wanted to look again. */
interface Pass {
  readonly xr: KubernetesObject | undefined;
  readonly observed: readonly KubernetesObject[];
  readonly reads: ReadonlyMap<string, Read>;
  readonly wakeAt: number;
}

interface Read {
  readonly selector: ResourceSelector;
  readonly found: readonly KubernetesObject[];
}

/** @param everyPass whether passes are made too that could change nothing */
export function createControlPlane(store: ObjectStore, everyPass = false): ControlPlane {
  const kinds = readKinds();
  const passes = new Map<string, Pass>();
  let now = new Date(0);
  let wakeInSeconds = Number.POSITIVE_INFINITY;
  const call = callInProcess({ now: () => now, randomKey: () => 'a-key-that-no-simulation-needs' }, (outcome) => {
    wakeInSeconds = Math.min(wakeInSeconds, wakeOf(outcome));
  });
  return {
    reconcile: async ({ kind, ...given }, moment) => {
      const identity = identityOf({ kind, ...given });
      const installed = kinds.get(kind);
      const stored = store.all.get(identity);
      if (installed === undefined || stored === undefined) return false;
      const before = passes.get(identity);
      if (!everyPass && before !== undefined && isSettled(store, before, stored, moment)) return false;
      now = moment;
      wakeInSeconds = Number.POSITIVE_INFINITY;
      const observed = composedBy(store, stored);
      const reads = new Map<string, Read>();
      const { composite, composed, deleted } = await reconcileComposite({
        xr: applyDefaults(installed.schema, stored) as KubernetesObject,
        composition: installed.composition,
        observed,
        call,
        fetch: { resources: (selector) => read(store, selector, reads), schema: assumeInstalled() },
      });
      passes.set(identity, { xr: stored, observed, reads, wakeAt: moment.getTime() + wakeInSeconds * 1000 });
      for (const object of deleted) store.remove(object);
      for (const object of composed) store.put(object, moment);
      store.setStatus(stored, composite.status as Readonly<Record<string, unknown>>);
      return true;
    },
  };
}

let installedKinds: ReadonlyMap<string, InstalledKind> | undefined;

/** Read once: worlds are many. */
function readKinds(): ReadonlyMap<string, InstalledKind> {
  installedKinds ??= readInstalledKinds();
  return installedKinds;
}

function wakeOf(outcome: Decision | Freeze): number {
  return 'frozen' in outcome ? Number.POSITIVE_INFINITY : (outcome.wakeInSeconds ?? Number.POSITIVE_INFINITY);
}

function read(store: ObjectStore, selector: ResourceSelector, reads: Map<string, Read>): readonly KubernetesObject[] {
  const found = findObjects(store.all, selector);
  reads.set(JSON.stringify(selector), { selector, found });
  return found;
}

function isSettled(store: ObjectStore, pass: Pass, xr: KubernetesObject, moment: Date): boolean {
  if (moment.getTime() >= pass.wakeAt || pass.xr !== xr) return false;
  if (!areSame(pass.observed, composedBy(store, xr))) return false;
  return [...pass.reads.values()].every(({ selector, found }) => areSame(found, findObjects(store.all, selector)));
}

function areSame(left: readonly KubernetesObject[], right: readonly KubernetesObject[]): boolean {
  return left.length === right.length && left.every((object, index) => object === right[index]);
}

function composedBy(store: ObjectStore, xr: KubernetesObject): readonly KubernetesObject[] {
  return [...store.all.values()].filter((object) => {
    const owners = keyOf(object) === '' ? [] : (object.metadata.ownerReferences ?? []);
    return owners.some(({ kind, name }) => kind === xr.kind && name === xr.metadata.name);
  });
}
