/**
 * Decides what a replica emits: the objects of its current revision, byte for byte as they were rendered when the
 * revision was made. An upgrade of Modelberth renders differently and changes nothing that runs.
 * Refused: rendering afresh on each pass, which restarts engines on every upgrade.
 */
import { group, label } from '../kubernetes/label.ts';
import { isRecord, type KubernetesObject, readNumber, readPath } from '../kubernetes/object.ts';
import { restoreRendered } from '../kubernetes/owned-fields.ts';
import { boundedName } from '../kubernetes/resource-name.ts';

/** Objects of a revision by the key under which each is composed. */
export type RevisionObjects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface RevisionQuestion {
  readonly replica: string;
  readonly labels: Readonly<Record<string, string>>;
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
  const { rendered, revisions } = question;
  const currentKey = `revision-${rendered.revision}`;
  const existing = revisions.get(currentKey);
  const current = existing === undefined ? newRevision(question) : restoreRendered(existing);
  // A revision that exists and cannot be read: nothing is rendered anew over what runs, so its objects are held.
  const stored = existing === undefined ? rendered.objects : (readObjects(existing) ?? {});
  const objects = new Map(Object.entries(stored).map(([key, object]) => [key, object as KubernetesObject]));
  const old = [...revisions]
    .filter(([key]) => key !== currentKey)
    .sort(([, left], [, right]) => numberOf(right) - numberOf(left));
  const surplus = old.slice(keptRevisions).filter((entry) => isUnused(entry, question.usedRevisions));
  const unclaimed = [...question.claims].filter(
    (entry) => !objects.has(entry[0]) && isUnused(entry, question.usedRevisions),
  );
  // Two workloads would claim the same accelerators; objects that cannot be read replace nothing.
  const replaced = objects.size === 0 ? [] : [...question.workloads.keys()].filter((key) => !objects.has(key));
  const dropped = new Map([
    ...surplus.map(([key]) => [key, 'older than the revisions that are kept'] as const),
    ...unclaimed.map(([key]) => [key, 'no pod uses it any more'] as const),
    ...replaced.map((key) => [key, `revision ${rendered.revision} runs as another kind of workload`] as const),
  ]);
  return { revisions: new Map([[currentKey, current]]), objects, dropped };
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

/** The rendered objects that a revision stores; undefined when it was changed by somebody and cannot be read. */
function readObjects(revision: KubernetesObject): RevisionObjects | undefined {
  const objects = readPath(revision, ['data', 'objects']);
  if (!isRecord(objects) || Object.keys(objects).length === 0) return undefined;
  return Object.values(objects).every(isRecord) ? (objects as RevisionObjects) : undefined;
}

function numberOf(revision: KubernetesObject): number {
  return readNumber(revision, ['revision']) ?? 0;
}

/** Proven unused: pods are observed, key and label name the same revision, and nothing that runs has it. */
function isUnused([key, object]: readonly [string, KubernetesObject], used: ReadonlySet<string> | undefined): boolean {
  const hash = key.slice(key.indexOf('-') + 1);
  return used !== undefined && object.metadata.labels?.[label.revision] === hash && !used.has(hash);
}
