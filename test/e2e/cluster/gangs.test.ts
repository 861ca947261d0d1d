/**
 * A gang of two whose worker finds no accelerator, on the real controllers: the leader would hold its own for ever. The
 * functions are called as time goes by, and what they compose is applied, until another gang has what it waited for.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { keyOf } from '../../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../../cli/crossplane/render-output.ts';
import { label } from '../../../domain/kubernetes/label.ts';
import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readString,
} from '../../../domain/kubernetes/object.ts';
import { connect, list, pods, read } from './api-client.ts';
import { addNode, type FakeNode, installDeviceClass, removeNode, rtxPro6000 } from './fake-nodes.ts';
import {
  applyAll,
  conditionOf,
  nodeGroupsOf,
  readStep,
  reconcileLive,
  removeAll,
  renderWith,
  untilBound,
  untilUnschedulable,
  workloadOf,
} from './golden-replica.ts';
import { type Player, playNodes } from './node-player.ts';
import { until } from './until.ts';

const client = connect(inject('cluster'));
const step = readStep('poc-2-mimo/5-nodes-joined');
const namespace = step.xr.metadata.namespace ?? '';

let composed: RenderOutput;
let applied: readonly KubernetesObject[];
const nodes: FakeNode[] = [];
let player: Player;

beforeAll(async () => {
  await installDeviceClass(client);
  composed = await renderWith(step);
  applied = workloadOf(composed);
  const [group = '', other = ''] = nodeGroupsOf(applied);
  const node = { product: rtxPro6000, accelerators: 1 };
  nodes.push({ ...node, name: 'gang-a', labels: { 'eks.amazonaws.com/nodegroup': group } });
  // The second node has joined, and its driver publishes nothing.
  nodes.push({ ...node, name: 'gang-b', labels: { 'eks.amazonaws.com/nodegroup': other }, accelerators: 0 });
  for (const each of nodes) await addNode(client, each);
  // A leader without its worker loads and does not answer.
  player = playNodes({ client, nodes: nodes.map(({ name }) => name), act: () => 'Load' });
});

afterAll(async () => {
  await removeAll(client, applied);
  await player.stop();
  for (const node of nodes) await removeNode(client, node);
  client.close();
});

/** The ControllerRevision as the last pass left it. */
function revisionOf({ composed: objects }: RenderOutput): readonly KubernetesObject[] {
  return objects.filter((object) => keyOf(object).startsWith('revision-'));
}

async function pass(last: RenderOutput, now: string): Promise<RenderOutput> {
  return await reconcileLive(client, { step, applied, kept: revisionOf(last), now: new Date(now) });
}

test('L9 a leader that holds an accelerator while its worker waits is given up in time, freed, and made again', async () => {
  await applyAll(client, applied);
  const [said] = await untilUnschedulable(client, namespace);
  expect(said).toContain('cannot allocate all claims');
  const [leader] = (await list(client, pods, namespace)).filter(
    ({ metadata }) => metadata.labels?.[label.role] === 'leader',
  );
  expect(readString(leader, ['spec', 'nodeName'])).toBe('gang-a');
  const [set] = applied.filter(({ kind }) => kind === 'LeaderWorkerSet');
  if (set === undefined) throw new Error('the step composes a gang');

  const first = await pass(composed, '2026-12-01T12:00:00Z');
  expect(conditionOf(first, 'EngineReady').state).toBe('False Unschedulable');
  const inTime = await pass(first, '2026-12-01T12:09:59Z');
  expect(conditionOf(inTime, 'EngineReady').state).toBe('False Unschedulable');
  const overdue = await pass(inTime, '2026-12-01T12:10:00Z');
  expect(conditionOf(overdue, 'EngineReady')).toEqual({
    state: 'False GangNotFormed',
    message: expect.stringMatching(
      /^1 of 2 pods have a node after 10 minutes: No node takes pod ".*" \(Unschedulable\): 0\/\d+ nodes/,
    ),
  });

  await applyAll(client, workloadOf(overdue));
  await until('the accelerator is free', async () => ((await claimsAllocated()) === 0 ? true : undefined));
  await until('every pod is gone', async () => ((await list(client, pods, namespace)).length === 0 ? true : undefined));

  const gone = await pass(overdue, '2026-12-01T12:10:30Z');
  expect(conditionOf(gone, 'EngineReady').state).toBe('False GangNotFormed');
  expect(
    readNumber(
      workloadOf(gone).find(({ kind }) => kind === 'LeaderWorkerSet'),
      ['spec', 'replicas'],
    ),
  ).toBe(1);
  const [, second] = nodes;
  if (second === undefined) throw new Error('there are two nodes');
  await removeNode(client, second);
  await until('the node is gone', async () => ((await read(client, nodeOf(second))) === undefined ? true : undefined));
  await addNode(client, { ...second, accelerators: 1 });
  await applyAll(client, workloadOf(gone));
  const bound = await untilBound(client, namespace, 2);
  expect([...bound.values()].sort()).toEqual(['gang-a', 'gang-b']);
  const formed = await pass(gone, '2026-12-01T12:11:00Z');
  expect(conditionOf(formed, 'EngineReady').state).toBe('False EngineStarting');
  expect(revisionOf(formed)[0]?.metadata.annotations).toMatchObject({
    'modelberth.dev/forming-since': '',
    'modelberth.dev/not-formed-because': '',
  });
});

function nodeOf({ name }: FakeNode): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name } };
}

async function claimsAllocated(): Promise<number> {
  const claims = await list(client, { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim' }, namespace);
  return claims.filter(({ status }) => isRecord(status) && isRecord(status.allocation)).length;
}

test('S5 LeaderWorkerSet 0.8 calls a half gang available, and EngineReady does not', async () => {
  await removeAll(client, applied);
  const [, second] = nodes;
  if (second === undefined) throw new Error('there are two nodes');
  await removeNode(client, second);
  await until('the node is gone', async () => ((await read(client, nodeOf(second))) === undefined ? true : undefined));
  await addNode(client, second);
  await player.stop();
  player = playNodes({ client, nodes: nodes.map(({ name }) => name) });
  await applyAll(client, applied);
  const [set] = applied.filter(({ kind }) => kind === 'LeaderWorkerSet');
  if (set === undefined) throw new Error('the step composes a gang');
  await until('the set calls itself available', async () => {
    const conditions = readList(await read(client, set), ['status', 'conditions']).filter(isRecord);
    return conditions.some(({ type, status }) => type === 'Available' && status === 'True') ? true : undefined;
  });
  await untilUnschedulable(client, namespace);
  expect(conditionOf(await pass(composed, '2026-12-01T12:00:00Z'), 'EngineReady').state).toBe('False Unschedulable');
});
