/**
 * The ladder of placement, driven as Crossplane drives it: the InferenceCluster, the ModelDeployment and its ModelReplica
 * are reconciled once a minute through the real functions, over the objects that a virtual provider and virtual nodes
 * report. A minute is the longest time to live of a pass. Source: domain/placement/climb-ladder.ts.
 */
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { type ControlPlane, createControlPlane } from '../ours/control-plane.ts';
import { editObject } from '../ours/edit-object.ts';
import { momentOf } from '../ours/moment-of.ts';
import { createObjectStore, type ObjectStore } from '../ours/object-store.ts';
import { createVirtualKubelet } from '../ours/virtual-kubelet.ts';
import { createVirtualProvider } from '../ours/virtual-provider.ts';
import { isWithin, type World } from '../worlds/world.ts';
import type { Player, Policy } from './policy.ts';

/** In the order in which they read each other. */
const reconciled = ['InferenceCluster', 'ModelDeployment', 'ModelReplica'] as const;
export const ours: Policy = { name: 'ours', start: (world, cloud) => startOurs(world, cloud) };

/** @param everyPass whether passes are made too that could change nothing */
export function startOurs(world: World, cloud: Cloud, everyPass = false): Player {
  const store = createObjectStore();
  const plane = createControlPlane(store, everyPass);
  for (const object of objectsOf(world)) store.put(object, momentOf(0));
  const provider = createVirtualProvider(world, cloud, store);
  const kubelet = createVirtualKubelet(world, cloud, store);
  let firstAsk: number | undefined;
  return {
    step: async (minute) => {
      provider.step(minute);
      kubelet.step(minute);
      disturb(world, store, minute);
      if (!isWithin(world.down, minute)) await reconcileAll(store, plane, momentOf(minute));
      // What a pass changed is looked at when it changes, not a minute later.
      provider.step(minute);
      kubelet.step(minute);
      if (hasAsked(cloud)) firstAsk ??= minute;
    },
    replica: () => kubelet.replica(),
    serving: () => kubelet.serving(),
    createAtZeroMinutes: () => firstAsk,
  };
}

/** Tells whether an Auto Scaling group has asked for an instance yet. */
function hasAsked({ fleet, groups }: Cloud): boolean {
  return fleet.all.length > 0 || groups.outstanding().some(({ missing }) => missing > 0);
}

/** The platform and the one deployment of the world. */
function objectsOf({ claim }: World): readonly KubernetesObject[] {
  return claim.objects.filter(
    ({ kind, metadata }) =>
      kind === 'InferenceClass' ||
      kind === 'InferenceCluster' ||
      (kind === 'ModelDeployment' && metadata.name === claim.deployment),
  );
}

async function reconcileAll(store: ObjectStore, plane: ControlPlane, now: Date): Promise<void> {
  for (const kind of reconciled) {
    for (const xr of store.list(kind)) await plane.reconcile(xr, now);
  }
}

/** What people and accidents do to the control plane in a minute. */
function disturb({ edits, statusLosses }: World, store: ObjectStore, minute: number): void {
  for (const edit of edits) {
    if (edit.atMinute !== minute) continue;
    const object = store.list(edit.kind).find(({ metadata }) => metadata.name === edit.name);
    if (object !== undefined) store.put(editObject(object, edit.set), momentOf(minute));
  }
  if (!statusLosses.includes(minute)) return;
  for (const kind of reconciled) {
    for (const xr of store.list(kind)) store.setStatus(xr, {});
  }
}
