/**
 * Every object of every golden case on a real API server: applied server-side with strict field validation, step after
 * step over what the step before left, as Crossplane does it. What one case composes lives in a namespace of its own in
 * which no pod may exist, so that controllers see the workloads and nothing runs.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isKubernetesObject, isRecord, type KubernetesObject, readList } from '../../../domain/kubernetes/object.ts';
import { askedManifest, isWrapped } from '../../../domain/kubernetes/remote/remote-object.ts';
import { type RenderCase, readCases, readExpected } from '../../render/read-cases.ts';
import { apply, connect, refusalOf, remove, tryApply } from './api-client.ts';

const client = connect(inject('cluster'));
const steps = readCases();
const stories = Map.groupBy(steps, ({ name }) => name.split('/')[0] ?? '');

/** What was applied, by kind. */
const applied = new Map<string, KubernetesObject>();
/** Everything that the API server refused, by case and step. */
const refusals = new Map<string, readonly string[]>();
const unknownKinds = new Set<string>();
const workloads: KubernetesObject[] = [];

beforeAll(async () => {
  for (const [story, cases] of stories) {
    const namespace = `golden-${story}`;
    await apply(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await apply(client, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'no-pods', namespace },
      spec: { hard: { pods: '0' } },
    });
    for (const step of cases) refusals.set(step.name, await applyStep(step, namespace));
  }
});

afterAll(async () => {
  for (const workload of workloads) await remove(client, workload);
  client.close();
});

/** Applies the XR of a step, its status, and everything that it composes; returns what is said against it. */
async function applyStep(step: RenderCase, namespace: string): Promise<readonly string[]> {
  const expected = readExpected(step);
  const composed = readList(expected, ['composed']).filter(isKubernetesObject);
  const inner = composed.filter(isWrapped).flatMap((object) => askedManifest(object) ?? []);
  const found: string[] = [];
  await storeRevisions(step, namespace);
  for (const object of [step.xr, ...composed, ...inner]) found.push(...(await applyOne(rehouse(object, namespace))));
  const status = isRecord(expected.composite) ? expected.composite.status : undefined;
  if (isRecord(status)) {
    const { apiVersion, kind, metadata } = rehouse(step.xr, namespace);
    const { name, namespace: home } = metadata;
    const xr = { apiVersion, kind, metadata: { name, namespace: home }, status: withTimes(status) } as KubernetesObject;
    const refused = refusalOf(await tryApply(client, xr, { subresource: 'status' }));
    if (refused !== undefined) found.push(`status of ${kind}: ${refused}`);
  }
  return found;
}

/** Stores the revisions that a step starts from: some cases start from one that an earlier version rendered, and its data never change. */
async function storeRevisions({ observed }: RenderCase, namespace: string): Promise<void> {
  for (const revision of observed.filter(({ kind }) => kind === 'ControllerRevision')) {
    const stored = rehouse(revision, namespace);
    await remove(client, stored);
    await apply(client, stored);
  }
}

async function applyOne(object: KubernetesObject): Promise<readonly string[]> {
  const { apiVersion, kind, metadata } = object;
  if ((await client.findCollection(object)) === undefined) {
    unknownKinds.add(`${apiVersion} ${kind}`);
    return [];
  }
  const refused = refusalOf(await tryApply(client, object));
  if (refused !== undefined) return [`${kind} "${metadata.name}": ${refused}`];
  applied.set(`${apiVersion} ${kind}`, object);
  if (kind === 'Deployment' || kind === 'LeaderWorkerSet') workloads.push(object);
  return [];
}

/** The object in the namespace of its case; one without a namespace gets a name of its own. What a server sets is left out. */
function rehouse(object: KubernetesObject, namespace: string): KubernetesObject {
  const { status: _, ...rest } = object;
  const { name = '', labels, annotations, namespace: home } = object.metadata;
  const place = home === undefined ? { name: `${namespace}-${name}` } : { name, namespace };
  const texts = { ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) };
  return { ...rest, metadata: { ...place, ...texts } };
}

/** A status with a time in every condition: core adds it, and the cases leave it out. */
function withTimes(status: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const lastTransitionTime = '2026-12-01T12:00:00Z';
  const conditions = readList(status, ['conditions'])
    .filter(isRecord)
    .map((condition) => ({ lastTransitionTime, ...condition }));
  return { ...status, conditions };
}

test.each(steps)(
  'S8 the API server takes everything of case $name, without one field that it does not know',
  ({ name }) => {
    expect(refusals.get(name)).toEqual([]);
  },
);

test('the API server knows every kind that a golden case composes', () => {
  expect([...unknownKinds]).toEqual([]);
  expect(applied.size).toBeGreaterThanOrEqual(25);
});

test('S8 a field that is planted into any of those kinds is refused', async () => {
  const silent: string[] = [];
  for (const [kind, object] of applied) {
    const planted = isRecord(object.spec)
      ? { ...object, spec: { ...object.spec, planted: true } }
      : { ...object, planted: true };
    const refused = refusalOf(await tryApply(client, planted, { isDryRun: true }));
    if (refused?.includes('planted: field not declared in schema') !== true) silent.push(`${kind}: ${refused}`);
  }
  expect(silent).toEqual([]);
});
