/**
 * L12, L41: a claim whose replica serves is edited in one field at a time, in every field that its schema has, and the
 * edit is followed through the three pipelines: the deployment, its replica, the service that routes to it.
 */
import { describe, expect, test } from 'vitest';
import { ModelDeploymentSpec } from '../../apis/modeldeployments/schema.ts';
import { keyOf } from '../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { isRecord, type KubernetesObject, readList, readNumber } from '../../domain/kubernetes/object.ts';
import { callInProcess } from './call-in-process.ts';
import { type FieldEdit, listEdits } from './edit-fields.ts';
import { type RenderCase, readCases } from './read-cases.ts';
import { renderCase } from './render-case.ts';

const cases = readCases();
const deployment = caseNamed('deployment/4-routable');
const replica = caseNamed('replica/7-engine-ready');
const service = caseNamed('service/3-routable');

function caseNamed(name: string): RenderCase {
  const found = cases.find((question) => question.name === name);
  if (found === undefined) throw new Error(`test/render/cases has no "${name}"`);
  return found;
}

const claim = isRecord(deployment.xr.spec) ? deployment.xr.spec : {};
const { edits, unedited } = listEdits(ModelDeploymentSpec, claim);

/** What the edit comes to for the deployment, and with the replica as it composes it for the replica and the service. */
async function follow({ spec }: FieldEdit): Promise<readonly (readonly [RenderCase, RenderOutput])[]> {
  const claimed = await renderCase({ ...deployment, xr: { ...deployment.xr, spec } }, callInProcess);
  const [composed] = claimed.composed.filter(
    ({ kind, metadata }) => kind === 'ModelReplica' && metadata.name === 'llama-0',
  );
  if (composed === undefined) throw new Error('the deployment drops its replica');
  const { generation = 1, ...metadata } = replica.xr.metadata;
  const served = { ...replica.xr, metadata: { ...metadata, generation: generation + 1 }, spec: composed.spec };
  const placed = await renderCase({ ...replica, xr: served }, callInProcess);
  const required = service.required.map((object) =>
    object.kind === 'ModelReplica' ? { ...object, spec: composed.spec, status: placed.composite.status } : object,
  );
  const routed = await renderCase({ ...service, required }, callInProcess);
  return [
    [deployment, claimed],
    [replica, placed],
    [service, routed],
  ];
}

/** What an edit loses, each as a sentence. */
function lossesOf([question, output]: readonly [RenderCase, RenderOutput]): readonly string[] {
  const emitted = new Map(output.composed.map((object) => [keyOf(object), object]));
  return [
    ...output.deleted.map((object) => `${keyOf(object)} is deleted`),
    ...question.observed.flatMap((object) => lossOf(object, emitted.get(keyOf(object)))),
  ];
}

function lossOf(before: KubernetesObject, after: KubernetesObject | undefined): readonly string[] {
  if (after === undefined) return [`${keyOf(before)} is not desired`];
  if (after.metadata.name !== before.metadata.name) return [`${keyOf(before)} is renamed`];
  const size = (object: KubernetesObject) =>
    readNumber(object, ['spec', 'forProvider', 'scalingConfig', 'desiredSize']) ?? 0;
  if (size(after) < size(before)) return [`${keyOf(before)} is shrunk to ${size(after)}`];
  // An engine that does not speak a protocol has it translated by the rule of the other: a rule may go, not the last one.
  const isRouted = (object: KubernetesObject) =>
    readList(object, ['spec', 'rules']).some((rule) => readList(rule, ['backendRefs']).length > 0);
  return isRouted(before) && !isRouted(after) ? [`${keyOf(before)} loses its backends`] : [];
}

test('L41 every field of a claim has an edit, and no other valid value was looked for in vain', () => {
  // They belong to another type of weights, which the token of the hub excludes: no edit of one field states them.
  expect(unedited).toEqual(['spec.model.weights.claimName', 'spec.model.weights.path']);
  expect(edits.length).toBeGreaterThan(100);
});

test('L12 the replica has a pool, a workload and a route to lose', () => {
  const kinds = [...replica.observed, ...service.observed].map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['NodeGroup', 'Deployment', 'AIGatewayRoute', 'AIServiceBackend']));
});

describe.each(edits)('L12 L41 the edit $name', (edit) => {
  test('drops no pool, no workload and no route', async () => {
    const followed = await follow(edit);
    expect(followed.flatMap(lossesOf)).toEqual([]);
  });
});
