import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readPath } from '../../domain/kubernetes/object.ts';

/** One object that an upgrade changes in the world of one golden case. */
export interface Change {
  readonly case: string;
  readonly object: string;
  readonly action: 'create' | 'update' | 'delete';
  /** Paths of the fields that differ, at most five. */
  readonly fields: readonly string[];
  /** The object runs in that world and its pods would be made anew. */
  readonly restarts: boolean;
}

export interface Comparison {
  readonly name: string;
  readonly before: readonly KubernetesObject[];
  readonly after: readonly KubernetesObject[];
  readonly observed: readonly KubernetesObject[];
}

const workloads = ['Deployment', 'LeaderWorkerSet'];
const podTemplates: readonly (readonly string[])[] = [
  ['spec', 'template'],
  ['spec', 'leaderWorkerTemplate'],
];

/** What differs between two renders of one world, by the key of each composed resource. */
export function compareComposed({ name, before, after, observed }: Comparison): readonly Change[] {
  const [old, young] = [byKey(before), byKey(after)];
  const running = byKey(observed);
  const keys = [...new Set([...old.keys(), ...young.keys()])].sort();
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key), young.get(key)];
    const subject = `${(is ?? was)?.kind} "${(is ?? was)?.metadata.name ?? key}"`;
    const action = was === undefined ? 'create' : is === undefined ? 'delete' : 'update';
    const fields = differences(was, is);
    if (fields.length === 0) return [];
    const restarts = running.has(key) && templateChanges(was, is);
    return [{ case: name, object: subject, action, fields: fields.slice(0, 5), restarts }];
  });
}

/** The changes as text, restarts first. */
export function formatChanges(reference: string, cases: number, changes: readonly Change[]): string {
  const restarts = changes.filter((change) => change.restarts).length;
  const head = `${cases} golden cases of ${reference}, rendered by this tree: ${changes.length} objects differ, ${restarts} running workloads restart`;
  const sorted = [...changes].sort((left, right) => Number(right.restarts) - Number(left.restarts));
  const rows = sorted.map(({ case: where, object, action, fields, restarts: isRestart }) => {
    return `${isRestart ? 'RESTARTS' : action.padEnd(8)}  ${where}  ${object}${action === 'update' ? `: ${fields.join(', ')}` : ''}`;
  });
  return [head, ...rows].join('\n');
}

function byKey(objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> {
  const nameless = ({ kind, metadata }: KubernetesObject) => `${kind}/${metadata.name ?? ''}`;
  return new Map(
    objects.map((object) => [object.metadata.annotations?.[compositionResourceName] ?? nameless(object), object]),
  );
}

function templateChanges(was: KubernetesObject | undefined, is: KubernetesObject | undefined): boolean {
  if (!workloads.includes((was ?? is)?.kind ?? '')) return false;
  if (is === undefined) return true;
  return podTemplates.some((path) => canonicalJson(readPath(was, path)) !== canonicalJson(readPath(is, path)));
}

function differences(was: unknown, is: unknown, path = ''): readonly string[] {
  if (isRecord(was) && isRecord(is)) {
    const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
    return keys.flatMap((key) => differences(was[key], is[key], path === '' ? key : `${path}.${key}`));
  }
  if (was === undefined && is === undefined) return [];
  return was !== undefined && is !== undefined && canonicalJson(was) === canonicalJson(is) ? [] : [path];
}
