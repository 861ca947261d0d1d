/**
 * What the API server has once core has applied a render: composed objects with what it added to them before, statuses
 * of XRs, and nothing of what was deleted. Not done: admission, defaults, and fields of other writers on an object that
 * is edited.
 */
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';
import type { RenderOutput } from '../crossplane/render-output.ts';
import { identityOf, type World } from '../crossplane/world.ts';
import { contains } from './contains.ts';
import { renderedContent } from './rendered-content.ts';

/** What was rendered last, by identity: the API server does not say which fields of an object are ours. */
export type Rendered = ReadonlyMap<string, KubernetesObject>;

export interface Applied {
  readonly world: World;
  readonly rendered: Rendered;
}

export interface ApplyQuestion {
  readonly world: World;
  /** What was rendered last, for what exists; unknown where nothing was rendered yet. */
  readonly rendered: Rendered;
  readonly kinds: ReadonlyMap<string, InstalledKind>;
}

/** The world after the outputs of one render. */
export function applyOutputs({ world, rendered, kinds }: ApplyQuestion, outputs: readonly RenderOutput[]): Applied {
  const next = new Map(world);
  const latest = new Map(rendered);
  for (const object of outputs.flatMap(({ deleted }) => deleted)) remove(next, object);
  for (const { composite, composed } of outputs) {
    // What an XR composed that went in this very pass goes with it.
    if (world.has(identityOf(composite)) && !next.has(identityOf(composite))) continue;
    for (const object of composed) {
      const identity = identityOf(object);
      next.set(identity, applyOne(next.get(identity), object, { last: latest.get(identity), kinds }));
      latest.set(identity, object);
    }
  }
  for (const { composite } of outputs) {
    const found = next.get(identityOf(composite));
    if (found !== undefined) next.set(identityOf(composite), { ...found, status: composite.status });
  }
  return { world: next, rendered: latest };
}

/** An object goes with everything that it owns. */
function remove(world: Map<string, KubernetesObject>, object: KubernetesObject): void {
  world.delete(identityOf(object));
  const owned = [...world.values()].filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(
      (owner) =>
        owner.kind === object.kind &&
        owner.name === object.metadata.name &&
        (object.metadata.namespace === undefined || object.metadata.namespace === metadata.namespace),
    ),
  );
  for (const part of owned) remove(world, part);
}

interface Former {
  readonly last: KubernetesObject | undefined;
  readonly kinds: ReadonlyMap<string, InstalledKind>;
}

/** The same object where nothing changes, so that nobody takes it for an edit. */
function applyOne(
  existing: KubernetesObject | undefined,
  object: KubernetesObject,
  { last, kinds }: Former,
): KubernetesObject {
  if (existing === undefined) return { ...object, metadata: { ...object.metadata, generation: 1 } };
  const content = renderedContent(object, kinds);
  const isSame = last === undefined || canonicalJson(renderedContent(last, kinds)) === canonicalJson(content);
  if (isSame && contains(existing, content)) return existing;
  const { managedFields: _owners, ...known } = existing.metadata;
  const metadata = {
    ...known,
    labels: { ...known.labels, ...object.metadata.labels },
    annotations: { ...known.annotations, ...object.metadata.annotations },
    generation: (known.generation ?? 1) + (hasSameSpec(existing, object, last) ? 0 : 1),
  };
  return { ...object, metadata, ...(existing.status === undefined ? {} : { status: existing.status }) };
}

/** Memory in annotations makes no new generation. */
function hasSameSpec(existing: KubernetesObject, object: KubernetesObject, last: KubernetesObject | undefined) {
  const spec = isRecord(object.spec) ? object.spec : {};
  const isRenderedSame = last === undefined || canonicalJson(last.spec) === canonicalJson(object.spec);
  return isRenderedSame && contains(existing.spec ?? {}, spec);
}
