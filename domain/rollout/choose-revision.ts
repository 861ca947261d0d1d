/**
 * Decides what a replica emits: the objects of its current revision, byte for byte as they were rendered when the
 * revision was made. An upgrade of Modelberth renders differently and changes nothing that runs.
 * Refused: rendering afresh on each pass, which restarts engines on every upgrade.
 */
import { group, label } from '../kubernetes/label.ts';
import { type KubernetesObject, readNumber } from '../kubernetes/object.ts';
import { restoreRendered } from '../kubernetes/owned-fields.ts';
import { remember } from '../kubernetes/remember.ts';
import { boundedName } from '../kubernetes/resource-name.ts';
import { type RevisionMemory, readRevisionMemory, toAnnotations } from './revision-memory.ts';
import { type RevisionObjects, readObjects } from './revision-objects.ts';

export interface RevisionQuestion {
  readonly replica: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Hash of the revision to run: the rendered one, or the last good one when that failed. */
  readonly target: string;
  /** Memory to write on ControllerRevisions, by hash. */
  readonly memory: ReadonlyMap<string, RevisionMemory>;
  /** What the claim and the won shape ask for now, as this version renders it. */
  readonly rendered: { readonly revision: string; readonly objects: RevisionObjects };
  /** Observed ControllerRevisions by their key. */
  readonly revisions: ReadonlyMap<string, KubernetesObject>;
  /** Observed workloads by their key: one, but for a move between a single node and a gang. */
  readonly workloads: ReadonlyMap<string, KubernetesObject>;
  /** Observed claim templates by their key. */
  readonly claims: ReadonlyMap<string, KubernetesObject>;
  /** Revisions that some pod runs or the observed workload makes pods of; undefined while pods are not observed. */
  readonly usedRevisions: ReadonlySet<string> | undefined;
}

export interface ChosenRevision {
  /** ControllerRevisions to emit, by key. */
  readonly revisions: ReadonlyMap<string, KubernetesObject>;
  /** Objects to emit, by key. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /** Keys that may go: old revisions beyond those kept, and what only they used. */
  readonly dropped: ReadonlyMap<string, string>;
}

/** Revisions kept beside the current one: the last good one and one more. */
const keptRevisions = 2;

/** Chooses what to emit and what may go. */
export function chooseRevision(question: RevisionQuestion): ChosenRevision {
  const { rendered, revisions, target } = question;
  const running = revisions.get(keyOf(target));
  // A revision that cannot be read, or that runs and is stored no more: nothing is rendered over it, so it is held.
  const isNew = running === undefined && target === rendered.revision;
  const stored = isNew ? rendered.objects : (readObjects(running) ?? {});
  const objects = new Map(Object.entries(stored).map(([key, object]) => [key, object as KubernetesObject]));
  const surplus = listSurplus(question).filter((entry) => isUnused(entry, question.usedRevisions));
  const unclaimed = [...question.claims].filter(
    (entry) => !objects.has(entry[0]) && isUnused(entry, question.usedRevisions),
  );
  // Two workloads would claim the same accelerators; objects that cannot be read replace nothing.
  const replaced = objects.size === 0 ? [] : [...question.workloads.keys()].filter((key) => !objects.has(key));
  const dropped = new Map([
    ...surplus.map(([key]) => [key, 'older than the revisions that are kept'] as const),
    ...unclaimed.map(([key]) => [key, 'no pod uses it any more'] as const),
    ...replaced.map((key) => [key, `revision ${target} runs as another kind of workload`] as const),
  ]);
  return { revisions: emitRevisions(question), objects, dropped };
}

function keyOf(revision: string): string {
  return `revision-${revision}`;
}

/** The wanted revision, and every other one that has something to remember. */
function emitRevisions(question: RevisionQuestion): ReadonlyMap<string, KubernetesObject> {
  const { rendered, revisions, memory } = question;
  const emitted = new Map<string, KubernetesObject>();
  for (const revision of new Set([rendered.revision, ...memory.keys()])) {
    const existing = revisions.get(keyOf(revision));
    if (existing === undefined && revision !== rendered.revision) continue;
    const object = existing === undefined ? newRevision(question) : restoreRendered(existing);
    const added = toAnnotations(memory.get(revision) ?? {});
    emitted.set(keyOf(revision), Object.keys(added).length === 0 ? object : remember(object, added));
  }
  return emitted;
}

/** Revisions beyond the wanted one, the one that runs, the last good one and the newest other. */
function listSurplus({
  rendered,
  revisions,
  target,
}: RevisionQuestion): readonly (readonly [string, KubernetesObject])[] {
  const old = [...revisions]
    .filter(([key]) => key !== keyOf(rendered.revision) && key !== keyOf(target))
    .sort(([, left], [, right]) => numberOf(right) - numberOf(left));
  const lastGood = old.find(([, object]) => readRevisionMemory(object).goodAt !== undefined);
  const others = old.filter((entry) => entry !== lastGood);
  const mostOthers = keptRevisions - (lastGood === undefined ? 0 : 1);
  return others.slice(mostOthers);
}

function newRevision({ replica, labels, rendered, revisions }: RevisionQuestion): KubernetesObject {
  const latest = Math.max(0, ...[...revisions.values()].map(numberOf));
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: boundedName(`${replica}-${rendered.revision}`),
      labels: { ...labels, [label.revision]: rendered.revision },
    },
    revision: latest + 1,
    data: { apiVersion: `${group}/v1alpha1`, kind: 'RenderedRevision', objects: rendered.objects },
  };
}

function numberOf(revision: KubernetesObject): number {
  return readNumber(revision, ['revision']) ?? 0;
}

/** Proven unused: pods are observed, key and label name the same revision, and nothing that runs has it. */
function isUnused([key, object]: readonly [string, KubernetesObject], used: ReadonlySet<string> | undefined): boolean {
  const hash = key.slice(key.indexOf('-') + 1);
  return used !== undefined && object.metadata.labels?.[label.revision] === hash && !used.has(hash);
}
