/** What Argo CD and Flux make of our kinds, over every golden case, by real interpreters of their languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { definitions } from '../../apis/definitions.ts';
import { reasons } from '../../domain/kubernetes/condition.ts';
import { group } from '../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList, readPath } from '../../domain/kubernetes/object.ts';
import { readCases, readExpected, root } from '../render/read-cases.ts';
import { runCel, runLua } from './languages.ts';

const folder = join(root, 'package/gitops');
const script = readFileSync(join(folder, 'health.lua'), 'utf8');
const kinds = definitions.map(({ kind }) => kind).sort();

/** What a golden case leaves, as the API server has it: a function's own conditions carry no generation. */
const left = readCases().map((step) => {
  const composite = readPath(readExpected(step), ['composite']);
  const status = isRecord(composite) ? composite.status : {};
  return { name: step.name, object: { ...step.xr, status } as KubernetesObject };
});

function claim(...conditions: readonly Record<string, unknown>[]): KubernetesObject {
  const metadata = { name: 'mimo', namespace: 'coding', generation: 2 };
  return { apiVersion: `${group}/v1alpha1`, kind: 'ModelDeployment', metadata, spec: {}, status: { conditions } };
}
const ready = { type: 'Ready', status: 'True', reason: 'Available', observedGeneration: 2 };
const creating = { ...ready, status: 'False', reason: 'Creating' };
const synced = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess', observedGeneration: 2 };
const waiting = { type: 'Placed', status: 'False', reason: 'WaitingForNodes', message: '0 of 1 node joined' };

const rows: readonly [string, KubernetesObject, string][] = [
  ['is new', { ...claim(), status: {} }, 'Progressing'],
  ['is ready', claim(ready, synced), 'Healthy'],
  ['was ready before its spec changed', claim({ ...ready, observedGeneration: 1 }, synced), 'Progressing'],
  ['waits for nodes', claim(creating, synced, waiting), 'Progressing'],
  ['does not fit', claim(creating, { type: 'Fits', status: 'False', reason: 'Misfit', message: 'short' }), 'Degraded'],
  [
    'serves while its new revision failed',
    claim(ready, { type: 'RolledOut', status: 'False', reason: 'RevisionFailed', message: 'out of memory' }),
    'Degraded',
  ],
  [
    'cannot be synced, although it was ready',
    claim(ready, { ...synced, status: 'False', reason: 'ReconcileError', message: 'refused' }),
    'Degraded',
  ],
  [
    'is ready, with a field that does not act',
    claim(ready, { type: 'EveryFieldActs', status: 'False', reason: 'FieldNotActing', message: 'zones' }),
    'Healthy',
  ],
  [
    'is ready by an external endpoint that nobody observes',
    claim(ready, { type: 'Routable', status: 'Unknown', reason: 'ExternalEndpoint', message: 'vendor' }),
    'Healthy',
  ],
];

describe('Argo CD', () => {
  test.each(rows)('a claim that %s: %#', async (_name, object, status) => {
    expect((await runLua(script, object)).status).toBe(status);
  });

  test('says why, in the words of the condition', async () => {
    expect(await runLua(script, claim(creating, waiting))).toEqual({
      status: 'Progressing',
      message: 'Placed: 0 of 1 node joined',
    });
  });

  test('has the script for every kind in the ConfigMap that is merged into argocd-cm', async () => {
    const text = stringify(argoConfig(), { lineWidth: 0 });
    await expect(`# Generated from health.lua by \`npm run generate\`; do not edit.\n${text}`).toMatchFileSnapshot(
      join(folder, 'argocd-cm.yaml'),
    );
  });
});

function argoConfig(): Record<string, unknown> {
  const data = kinds.map((kind) => [`resource.customizations.health.${group}_${kind}`, script]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd', labels: { 'app.kubernetes.io/part-of': 'argocd' } },
    data: { 'application.resourceTrackingMethod': 'annotation', ...Object.fromEntries(data) },
  };
}

test('Lua and CEL let the same reasons pass by themselves, and of those whose page says so every one', () => {
  const table = /local passing = \{([^}]*)\}/.exec(script)?.[1] ?? '';
  const passing = [...table.matchAll(/(\w+) = true/g)].map(([, reason]) => reason).sort();
  const waits = Object.entries(reasons).filter(([, { mend }]) => /^Wait; /.test(mend));
  const isPassing = new Set<unknown>(passing);
  expect(waits.map(([reason]) => reason).filter((reason) => !isPassing.has(reason))).toEqual([]);
  expect(passing.filter((reason) => !(String(reason) in reasons))).toEqual([]);
  for (const { failed } of expressions)
    expect([...failed.matchAll(/'(\w+)'/g)].map(([, word]) => word)).toEqual(expect.arrayContaining(passing));
});

interface Expressions {
  readonly kind: string;
  readonly current: string;
  readonly failed: string;
}

const kustomization: unknown = parse(readFileSync(join(folder, 'flux-kustomization.yaml'), 'utf8'));
const expressions = readList(kustomization, ['spec', 'healthCheckExprs']) as readonly Expressions[];

/** As Flux judges: failed, then current, else in progress. */
async function judgeByCel(object: KubernetesObject): Promise<string> {
  const expression = expressions.find(({ kind }) => kind === object.kind);
  if (expression === undefined) throw new Error(`no expression for ${object.kind}`);
  if (await runCel(expression.failed, object)) return 'Degraded';
  return (await runCel(expression.current, object)) ? 'Healthy' : 'Progressing';
}

describe('Flux', () => {
  test('has expressions for every kind', () => {
    expect(expressions.map(({ kind }) => kind).sort()).toEqual(kinds);
  });

  test.each(rows)('a claim that %s: %#', async (_name, object, status) => {
    expect(await judgeByCel(object)).toBe(status);
  });

  test('a claim is never both failed and current', async () => {
    for (const { object } of left) {
      const expression = expressions.find(({ kind }) => kind === object.kind);
      const [failed, current] = [expression?.failed ?? '', expression?.current ?? ''];
      expect([await runCel(failed, object), await runCel(current, object)]).not.toEqual([true, true]);
    }
  });
});

test('Lua and CEL say the same of what every golden case leaves, and all three words occur', async () => {
  const words = new Set<string>();
  for (const { name, object } of left) {
    const { status = '' } = await runLua(script, object);
    expect([name, await judgeByCel(object)]).toEqual([name, status]);
    words.add(status);
  }
  expect(words).toEqual(new Set(['Healthy', 'Progressing', 'Degraded']));
});
