import { describe, expect, test } from 'vitest';
import { keyOf } from '../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { compositeLabel, compositionResourceName } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readPath, readString } from '../../domain/kubernetes/object.ts';
import { callInProcess } from './call-in-process.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { readCases } from './read-cases.ts';
import { renderCase } from './render-case.ts';

const cases = readCases();
/** What an object says, without what only core and the API server write: content, labels, our own annotations. */
function contentOf({ metadata, status: _status, ...content }: KubernetesObject): string {
  const labels = Object.entries(metadata.labels ?? {}).filter(([name]) => name !== compositeLabel);
  return canonicalJson({ ...content, labels: Object.fromEntries(labels) });
}

/** A pool without its size. */
function sizeless({ spec, ...group }: KubernetesObject): KubernetesObject {
  const forProvider = readPath(spec, ['forProvider']);
  const { scalingConfig: _size, ...lasting } = isRecord(forProvider) ? forProvider : {};
  return { ...group, spec: { ...(isRecord(spec) ? spec : {}), forProvider: lasting } } as KubernetesObject;
}

/** Tells whether two states of an object say the same, as far as the mutation does not prove otherwise. */
function isSame(left: KubernetesObject, right: KubernetesObject, { proves }: Mutation): boolean {
  const mayPark = proves === 'NodeGone' && left.kind === 'NodeGroup';
  const [one, other] = mayPark ? [sizeless(left), sizeless(right)] : [left, right];
  return contentOf(one) === contentOf(other);
}

function byKey(objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> {
  return new Map(objects.map((object) => [keyOf(object), object]));
}

/** Annotations of ours that are observed and not emitted: memory that the next apply would remove. */
function lostMemory(observed: KubernetesObject, emitted: KubernetesObject): readonly string[] {
  const names = Object.keys(observed.metadata.annotations ?? {}).filter((name) => name !== compositionResourceName);
  return names.filter((name) => emitted.metadata.annotations?.[name] === undefined);
}

/** Tells whether an observed object may go, by what the mutation leaves proven. */
function mayGo(object: KubernetesObject, { proves, question }: Mutation, before: RenderOutput): boolean {
  // The protection of an XR depends on its own spec and on nothing that can be hidden.
  const isGuard = keyOf(object).startsWith('guard-') && isRecord(question.xr.spec);
  if (proves === 'Nothing' && !isGuard) return false;
  const isDraining = object.kind === 'ModelReplica' && readString(object, ['spec', 'traffic']) !== 'Serve';
  return before.deleted.some((deleted) => keyOf(deleted) === keyOf(object)) || (proves === 'Unrouted' && isDraining);
}

/** Every loss of a mutated run, each as one sentence that names case, mutation and key. */
function lossesOf(mutation: Mutation, before: RenderOutput, after: RenderOutput): readonly string[] {
  const emitted = byKey(after.composed);
  const emittedBefore = byKey(before.composed);
  return mutation.question.observed.flatMap((observed) => {
    const now = emitted.get(keyOf(observed));
    if (now === undefined) return mayGo(observed, mutation, before) ? [] : [say(mutation, observed, 'is not desired')];
    const last = emittedBefore.get(keyOf(observed)) ?? observed;
    const isKept =
      [observed, last].some((object) => isSame(object, now, mutation)) || letsGoOnlyOf(mutation, last, now);
    const changed = isKept ? [] : [say(mutation, observed, 'is neither as observed nor as without the mutation')];
    return [...changed, ...lostMemory(observed, now).map((name) => say(mutation, observed, `loses ${name}`))];
  });
}

/** Whether a route names everything that it named but the replica that is proven gone. */
function letsGoOnlyOf({ goneReplica }: Mutation, last: KubernetesObject, now: KubernetesObject): boolean {
  if (goneReplica === undefined || now.kind !== 'AIGatewayRoute') return false;
  const kept = backendsOf(last).filter((name) => !name.includes(`-${goneReplica}-`));
  return kept.length > 0 && kept.every((name) => backendsOf(now).includes(name));
}

function backendsOf(route: KubernetesObject): readonly string[] {
  const refs = readList(route, ['spec', 'rules']).flatMap((rule) => readList(rule, ['backendRefs']));
  return refs.flatMap((ref) => readString(ref, ['name']) ?? []);
}

function say({ name, question }: Mutation, object: KubernetesObject, what: string): string {
  return `${question.name}, where ${name}: ${keyOf(object)} ${what}`;
}

test('there are cases with observed objects, and one that lets a replica go', { timeout: 30_000 }, async () => {
  expect(cases.filter(({ observed }) => observed.length > 0).length).toBeGreaterThanOrEqual(10);
  const deleted = await Promise.all(cases.map((question) => renderCase(question, callInProcess)));
  expect(deleted.flatMap((output) => output.deleted.map(({ kind }) => kind))).toContain('ModelReplica');
});

describe.each(cases)('S1 case $name', (question) => {
  const mutations = mutationsOf(question);

  test('loses nothing, whatever is hidden from it', { timeout: 30_000 }, async () => {
    const before = await renderCase(question, callInProcess);
    const losses: string[] = [];
    for (const mutation of mutations) {
      const after = await renderCase(mutation.question, mutation.wrap(callInProcess)).catch((error: unknown) => {
        losses.push(`${question.name}, where ${mutation.name}: ${String(error)}`);
      });
      if (after !== undefined) losses.push(...lossesOf(mutation, before, after));
    }
    expect(losses).toEqual([]);
    expect(mutations.length).toBeGreaterThanOrEqual(4);
  });
});
