/**
 * The claims of both proofs of concept before the real scheduler. Each node group that a replica may use has a node with
 * the right accelerator and one with the wrong one, so that only the selector decides (L1).
 */
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { isRecord, type KubernetesObject, readList, readString } from '../../../domain/kubernetes/object.ts';
import { callInProcess } from '../../render/call-in-process.ts';
import { renderCase } from '../../render/render-case.ts';
import { connect, list } from './api-client.ts';
import {
  addNode,
  type FakeNode,
  installDeviceClass,
  l40s,
  type Product,
  removeNode,
  rtxPro6000,
} from './fake-nodes.ts';
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
  withProduct,
  workloadOf,
} from './golden-replica.ts';
import { type Player, playNodes } from './node-player.ts';

const client = connect(inject('cluster'));

interface Story {
  readonly name: string;
  readonly right: Product;
  readonly wrong: Product;
  /** Pods of one replica. */
  readonly pods: number;
}

const stories: readonly Story[] = [
  { name: 'poc-1-coder', right: rtxPro6000, wrong: l40s, pods: 1 },
  { name: 'poc-1-glm', right: l40s, wrong: rtxPro6000, pods: 1 },
  { name: 'poc-2-mimo', right: rtxPro6000, wrong: l40s, pods: 2 },
  { name: 'poc-2-qwen', right: l40s, wrong: rtxPro6000, pods: 1 },
];

const nodes: FakeNode[] = [];
const applied: KubernetesObject[] = [];
let player: Player;

/** The node of a group with one of the two products. */
function nodeName(group: string, { architecture }: Product): string {
  return `${group}-${architecture === l40s.architecture ? 'l40s' : 'rtx'}`;
}

beforeAll(async () => {
  await installDeviceClass(client);
  for (const { name, right, wrong } of stories) {
    const groups = nodeGroupsOf(workloadOf(await renderWith(readStep(`${name}/5-nodes-joined`))));
    for (const group of groups) {
      for (const product of [right, wrong]) {
        const labels = { 'eks.amazonaws.com/nodegroup': group };
        nodes.push({ name: nodeName(group, product), labels, product, accelerators: 1 });
      }
    }
  }
  for (const node of nodes) await addNode(client, node);
  player = playNodes({ client, nodes: nodes.map(({ name }) => name) });
});

afterEach(async () => {
  await removeAll(client, applied.splice(0));
});

afterAll(async () => {
  await player.stop();
  for (const node of nodes) await removeNode(client, node);
  client.close();
});

/** Applies what a replica composes and returns it. */
async function run(objects: readonly KubernetesObject[]): Promise<string> {
  await applyAll(client, objects);
  applied.push(...objects);
  return objects[0]?.metadata.namespace ?? '';
}

/** The pools of the devices that were allocated in a namespace: for this driver, the names of nodes. */
async function allocatedIn(namespace: string): Promise<readonly string[]> {
  const claims = await list(client, { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim' }, namespace);
  return claims.flatMap((claim) =>
    readList(claim, ['status', 'allocation', 'devices', 'results'])
      .filter(isRecord)
      .map(({ pool }) => String(pool)),
  );
}

describe.each(stories)('$name', ({ name, right, wrong, pods }) => {
  const step = readStep(`${name}/5-nodes-joined`);

  test('L1 gets the accelerators of its class and leaves the others, one node for each pod', async () => {
    const objects = workloadOf(await renderWith(step));
    const namespace = await run(objects);
    const bound = await untilBound(client, namespace, pods);
    const wanted = nodeGroupsOf(objects).map((group) => nodeName(group, right));
    expect(wanted.length).toBe(pods);
    expect([...bound.values()].sort()).toEqual([...wanted].sort());
    expect([...(await allocatedIn(namespace))].sort()).toEqual([...wanted].sort());
  });

  test('L1 a class with the product name of the other one swaps the accelerators, and says so before', async () => {
    const [hardwareClass] = step.required.filter(({ kind }) => kind === 'InferenceClass');
    if (hardwareClass === undefined) throw new Error('the step requires a class');
    const swapped = withProduct(hardwareClass, wrong.productName);
    const example = readStep('class/1-complete');
    const classSaid = await renderCase({ ...example, xr: swapped, observed: [], required: [] }, callInProcess);
    expect(conditionOf(classSaid, 'Catalogued')).toEqual({
      state: 'True FactsDiffer',
      message: expect.stringContaining(`for ${wrong.productName}; correct it`),
    });
    const objects = workloadOf(await renderWith(step, wrong.productName));
    const namespace = await run(objects);
    const bound = await untilBound(client, namespace, pods);
    const swappedNodes = nodeGroupsOf(objects).map((group) => nodeName(group, wrong));
    expect([...bound.values()].sort()).toEqual([...swappedNodes].sort());
  });

  test('L1 a product that no node has stays without a node, and EngineReady says what the scheduler says', async () => {
    const rendered = await renderWith(step, 'NVIDIA L40X');
    const objects = workloadOf(rendered);
    const namespace = await run(objects);
    const [said] = await untilUnschedulable(client, namespace);
    expect(said).toContain('cannot allocate all claims');
    const condition = conditionOf(await reconcileLive(client, { step, applied: objects }), 'EngineReady');
    expect(condition.state).toBe('False Unschedulable');
    expect(condition.message).toContain('cannot allocate all claims');
    expect(readString(objects[0], ['metadata', 'namespace'])).toBe(step.xr.metadata.namespace);
  });
});
