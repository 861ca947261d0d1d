/**
 * What exists, as kubectl prints it. A live state that leaves something out would be planned as if that did not exist,
 * which is the one thing that a plan must not get wrong: so XRs are asked what they have composed and what they have
 * seen, and what is missing of that is refused.
 */
import { label } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { isWrapped, seenManifest } from '../../domain/kubernetes/remote/remote-object.ts';
import { conditionStatus } from '../../domain/rollout/read-replica.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';
import { toWorld, type World } from '../crossplane/world.ts';
import { readObjects, standardInput } from '../read-objects.ts';
import { findFaults } from '../render/find-faults.ts';
import { UnreadableInput } from '../unreadable.ts';
import { kubectlFor, liveKinds } from './live-kinds.ts';
import { landRemote } from './react/remote.ts';

type Kinds = ReadonlyMap<string, InstalledKind>;

/** Reads the live state; empty where none is given. Throws `UnreadableInput`. */
export function readLive(path: string | undefined, kinds: Kinds): World {
  if (path === undefined) return new Map();
  const objects = readObjects(path).map(withoutEnvelope);
  const faults = findFaults(objects, kinds);
  const place = path === standardInput ? 'standard input' : `"${path}"`;
  if (faults.length > 0) throw new UnreadableInput(`Cannot plan from ${place}: ${faults.slice(0, 5).join('; ')}`);
  const world = toWorld(objects);
  const lacks = [...world.values()].filter(({ kind }) => kinds.has(kind)).flatMap((xr) => findLacks(xr, world));
  if (lacks.length === 0) return world;
  const missing = Object.keys(liveKinds).filter((kind) => lacks.some((lack) => lack.kind === kind));
  const why = lacks.map(({ why: reason }) => reason).slice(0, 5);
  throw new UnreadableInput(`Cannot plan from ${place}: ${why.join('; ')}; add what "${kubectlFor(missing)}" prints`);
}

/** What the provider found on a Remote cluster, as it is there. */
function withoutEnvelope(object: KubernetesObject): KubernetesObject {
  const isFound = isWrapped(object) && object.metadata.labels?.[label.observedBy] !== undefined;
  const manifest = isFound ? seenManifest(object) : undefined;
  return manifest !== undefined && ['Node', 'Pod'].includes(manifest.kind) ? manifest : object;
}

interface Lack {
  readonly kind: string;
  readonly why: string;
}

/** Kinds that an XR has proof of and the live state has not. */
function findLacks(xr: KubernetesObject, world: World): readonly Lack[] {
  const subject = `${xr.kind} "${xr.metadata.name ?? ''}"`;
  const present = [...landRemote(world).values()];
  const composed = readList(xr, ['status', 'resources'])
    .filter(isRecord)
    .filter(({ state, kind }) => state !== 'Planned' && typeof kind === 'string' && kind in liveKinds)
    .map(({ kind }) => String(kind));
  const unlisted = [...new Set(composed)].filter((kind) => !present.some((object) => isPartOf(object, xr, kind)));
  const unseen = (evidence[xr.kind] ?? []).flatMap(({ condition, kinds }) =>
    conditionStatus(xr, condition) === 'True'
      ? kinds.filter((kind) => !present.some((found) => found.kind === kind))
      : [],
  );
  return [
    ...unlisted.map((kind) => ({ kind, why: `${subject} has composed a ${kind}, and there is none of it` })),
    ...unseen.map((kind) => ({ kind, why: `${subject} has seen a ${kind}, and there is none` })),
  ];
}

/** Whether an object of a kind may be what an XR composed; on a Remote cluster it names no owner. */
function isPartOf({ kind, metadata }: KubernetesObject, xr: KubernetesObject, wanted: string): boolean {
  if (kind !== wanted) return false;
  const { ownerReferences = [] } = metadata;
  return ownerReferences.length === 0 || ownerReferences.some((owner) => owner.name === xr.metadata.name);
}

/** What must have been seen for a condition to be True. */
const evidence: Readonly<Record<string, readonly { readonly condition: string; readonly kinds: readonly string[] }[]>> =
  {
    ModelReplica: [
      { condition: 'Placed', kinds: ['Node'] },
      { condition: 'EngineReady', kinds: ['Pod'] },
    ],
    ModelService: [{ condition: 'Routable', kinds: ['Gateway', 'HTTPRoute', 'EndpointSlice'] }],
  };
