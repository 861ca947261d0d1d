import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { annotation, compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList } from '../../domain/kubernetes/object.ts';
import { shownObject } from '../../functions/deliver.ts';
import type { InstalledKind } from '../crossplane/package-files.ts';
import { compareText, identityOf, type World } from '../crossplane/world.ts';
import type { Rendered } from './apply-outputs.ts';
import { contains, differingPaths } from './contains.ts';
import { forceNewOf } from './force-new.ts';
import type { Change } from './plan.ts';
import { sizeOf } from './react/node-groups.ts';
import { renderedContent } from './rendered-content.ts';

/** A world and what was rendered last for it. */
export interface Moment {
  readonly world: World;
  readonly rendered: Rendered;
}

export interface ChangesQuestion {
  readonly before: Moment;
  readonly after: Moment;
  /** The objects of the new claims. */
  readonly claims: readonly KubernetesObject[];
  readonly kinds: ReadonlyMap<string, InstalledKind>;
}

/** What happens to each claim and to each object that is or will be composed, sorted by kind and name. */
export function listChanges(question: ChangesQuestion): readonly Change[] {
  const { before, after, claims, kinds } = question;
  const claimed = new Set(claims.filter(({ kind }) => kinds.has(kind)).map(identityOf));
  const composed = [...before.world.values(), ...after.world.values()].filter(isComposed).map(identityOf);
  const changes = [...new Set([...claimed, ...composed])].map((identity) => changeOf(identity, question));
  return changes.sort((left, right) => compareText(sortKey(left), sortKey(right)));
}

function isComposed({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[compositionResourceName] !== undefined;
}

function sortKey({ kind, name }: Change): string {
  return `${kind} ${name}`;
}

function changeOf(identity: string, { before, after, kinds }: ChangesQuestion): Change {
  const was = before.world.get(identity);
  const is = after.world.get(identity);
  const { kind, metadata } = shownObject((is ?? was) as KubernetesObject);
  const subject = { kind, name: metadata.name ?? '' };
  if (was === undefined) return { ...subject, ...created(is as KubernetesObject, before.world) };
  if (is === undefined) return { ...subject, action: 'delete', why: whyDeleted(was, after.world) };
  const edited = editedPaths({
    was,
    is,
    last: before.rendered.get(identity),
    now: after.rendered.get(identity),
    kinds,
  });
  if (edited.length === 0) return { ...subject, action: 'keep', why: whyKept(was) };
  const forced = forceNewOf(shownObject(was), shownObject(is));
  if (forced.length > 0) return { ...subject, action: 'replace', why: `${listPaths(forced)} cannot change in place` };
  return { ...subject, action: 'update', why: `in place: ${listPaths(edited)}` };
}

/** Keys are never shown, so a live state need not hold Secrets. */
function created(object: KubernetesObject, before: World): Pick<Change, 'action' | 'why'> {
  const owner = object.metadata.ownerReferences?.[0];
  const isKnown = [...before.values()].some(
    (xr) =>
      xr.kind === owner?.kind &&
      xr.metadata.name === owner.name &&
      readList(xr, ['status', 'resources'])
        .filter(isRecord)
        .some((row) => row.kind === object.kind && row.name === object.metadata.name),
  );
  if (object.kind === 'Secret' && isKnown)
    return { action: 'keep', why: 'it exists by the status of its owner; the live state need not have it' };
  return { action: 'create', why: owner === undefined ? 'it is new' : `composed for ${owner.kind} "${owner.name}"` };
}

interface Edited {
  readonly was: KubernetesObject;
  readonly is: KubernetesObject;
  readonly last: KubernetesObject | undefined;
  readonly now: KubernetesObject | undefined;
  readonly kinds: ChangesQuestion['kinds'];
}

/** Paths of what the render states and what is there has not, or was rendered otherwise before. */
function editedPaths({ was, is, last, now, kinds }: Edited): readonly string[] {
  const contentOf = (object: KubernetesObject) => renderedContent(object, kinds);
  // A claim is what its author writes; core renders nothing of it.
  if (now === undefined) return isComposed(was) ? [] : differingPaths(contentOf(was), contentOf(is));
  const wanted = contentOf(now);
  const isSame = last === undefined || canonicalJson(contentOf(last)) === canonicalJson(wanted);
  if (isSame && contains(was, wanted)) return [];
  return differingPaths(last === undefined || contains(last, wanted) ? contentOf(was) : contentOf(last), wanted);
}

/** Paths that a line names before it counts the rest. */
const mostPaths = 3;

/** What the author edits comes before what only follows from it. */
function listPaths(paths: readonly string[]): string {
  const rank = (path: string) => `${path.startsWith('metadata.') ? 1 : 0} ${path}`;
  const sorted = [...new Set(paths)].sort((left, right) => compareText(rank(left), rank(right)));
  const rest = sorted.length > mostPaths ? ` and ${sorted.length - mostPaths} more` : '';
  return `${sorted.slice(0, mostPaths).join(', ')}${rest}`;
}

const deletedBecause: Readonly<Record<string, string>> = {
  ControllerRevision: 'older than the revisions that are kept',
  ModelReplica: 'drained first; spec.replicas does not ask for it',
  NodeGroup: 'its replica goes, and its nodes with it',
  ResourceClaimTemplate: 'no pod uses it any more',
};

function whyDeleted(object: KubernetesObject, after: World): string {
  const owner = object.metadata.ownerReferences?.[0];
  const { namespace } = object.metadata;
  const isOrphan =
    owner !== undefined &&
    ![...after.values()].some(
      ({ kind, metadata }) =>
        kind === owner.kind && metadata.name === owner.name && [undefined, namespace].includes(metadata.namespace),
    );
  if (isOrphan) return `goes with ${owner.kind} "${owner.name}"`;
  return deletedBecause[object.kind] ?? 'nothing asks for it any more';
}

/** A pool is known by its key and never by its name, so one that was renamed by hand is the same pool (L12). */
function whyKept(object: KubernetesObject): string {
  const { name = '', annotations = {} } = shownObject(object).metadata;
  const key = object.metadata.annotations?.[compositionResourceName] ?? '';
  if (object.kind !== 'NodeGroup') return 'nothing of it changes';
  const external = annotations[annotation.externalName] ?? name;
  const isRenamed = key !== `pool-${name}` || external !== name;
  return isRenamed
    ? `renamed by hand, and known by its key "${key}": it keeps its nodes, and nothing is replaced`
    : sizeOf(object) > 0
      ? 'it keeps its nodes'
      : 'it stays parked';
}
