import { join } from 'node:path';
import { isRecord, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import { type RenderCase, readExpected, readObjects, root } from '../render/read-cases.ts';

/** One thing that somebody may do with a resource of a group. */
export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

const writeVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;
const readVerbs = ['get', 'list', 'watch'] as const;

/** The ClusterRoles of a file of `package/rbac`, by name. */
export function readRoles(file: string): ReadonlyMap<string, KubernetesObject> {
  const roles = readObjects(join(root, 'package/rbac', file));
  return new Map(roles.map((role) => [role.metadata.name ?? '', role]));
}

/** Every right that a ClusterRole grants, as text; there are no wildcards in ours. */
export function rightsOf(role: KubernetesObject | undefined): ReadonlySet<string> {
  const rules = readList(role, ['rules']).filter(isRecord);
  const texts = rules.flatMap((rule) =>
    strings(rule.apiGroups).flatMap((group) =>
      strings(rule.resources).flatMap((resource) =>
        strings(rule.verbs).map((verb) => formatRight({ group, resource, verb })),
      ),
    ),
  );
  return new Set(texts);
}

/** The rights that a case shows to be needed: every verb on what it composes, to read on what it requires. */
export function neededRights(question: RenderCase): readonly string[] {
  const expected = readExpected(question);
  return [
    ...readList(expected, ['composed']).flatMap((object) => rightsOn(object, writeVerbs)),
    ...readList(expected, ['requiredResources']).flatMap((selector) => rightsOn(selector, readVerbs)),
  ];
}

/** The rights that a case shows to be needed on a Remote cluster: on what Objects deliver and collections observe. */
export function neededRemoteRights(question: RenderCase): readonly string[] {
  const composed = readList(readExpected(question), ['composed']);
  return composed.flatMap((object) => {
    const policies = strings(readPath(object, ['spec', 'managementPolicies']));
    const verbs = policies.includes('*') ? writeVerbs : writeVerbs.filter((verb) => verb !== 'delete');
    return [
      ...rightsOn(readPath(object, ['spec', 'forProvider', 'manifest']), verbs),
      ...rightsOn(readPath(object, ['spec', 'observeObjects']), readVerbs),
    ];
  });
}

function formatRight({ group, resource, verb }: Right): string {
  return `${verb} ${group === '' ? resource : `${resource}.${group}`}`;
}

function rightsOn(object: unknown, verbs: readonly string[]): string[] {
  if (!isRecord(object) || typeof object.apiVersion !== 'string' || typeof object.kind !== 'string') return [];
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  const resource = pluralOf(object.kind);
  return verbs.map((verb) => formatRight({ group, resource, verb }));
}

/** The plural that Kubernetes and its code generators make of a kind. */
function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (/[^aeiou]y$/.test(lower)) return lower.replace(/y$/, 'ies');
  return /(s|x|ch|sh)$/.test(lower) ? `${lower}es` : `${lower}s`;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
