/**
 * What runs on a Remote cluster is in the world twice: as the Object of the control plane that asks for it, and, while
 * controllers react, as itself. Afterwards the Object says what the provider saw.
 */
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { askedManifest, isWrapped, seenManifest } from '../../../domain/kubernetes/remote/remote-object.ts';
import { identityOf, type World } from '../../crossplane/world.ts';
import { contains } from '../contains.ts';

const landed = new WeakMap<KubernetesObject, KubernetesObject>();

/** The world with what every Object asks for beside it. The same Object gives the same manifest, so that no change is seen. */
export function landRemote(world: World): World {
  const next = new Map(world);
  for (const object of world.values()) {
    const manifest = isWrapped(object) ? land(object) : undefined;
    if (manifest !== undefined) next.set(identityOf(manifest), manifest);
  }
  return next;
}

function land(object: KubernetesObject): KubernetesObject | undefined {
  const known = landed.get(object);
  if (known !== undefined) return known;
  const asked = askedManifest(object);
  if (asked === undefined) return undefined;
  const seen = seenManifest(object);
  const manifest = {
    ...asked,
    metadata: { ...asked.metadata, generation: object.metadata.generation ?? 1 },
    ...(seen?.status === undefined ? {} : { status: seen.status }),
  };
  landed.set(object, manifest);
  return manifest;
}

/** The world without what lies on a Remote cluster, but as the provider sees it there. */
export function takeOffRemote(world: World): World {
  const next = new Map(world);
  for (const [identity, object] of world) {
    const asked = isWrapped(object) ? askedManifest(object) : undefined;
    if (asked === undefined) continue;
    const there = world.get(identityOf(asked));
    next.delete(identityOf(asked));
    if (there !== undefined && !contains(seenManifest(object), there)) next.set(identity, withSight(object, there));
  }
  return next;
}

function withSight(object: KubernetesObject, manifest: KubernetesObject): KubernetesObject {
  const conditions = [{ type: 'Synced', status: 'True', reason: 'ReconcileSuccess' }];
  return { ...object, status: { conditions, atProvider: { manifest } } };
}
