/**
 * Rollouts on the real controllers and the real scheduler: each shape whose accelerators are all taken, with none, one or
 * two to spare, goes from one revision to the next as we render it, and ends. With the strategy that a Deployment has by
 * default it does not, unless the spare ones are enough, and its condition Available stays True all the while (L39).
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { label } from '../../../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject, readList } from '../../../domain/kubernetes/object.ts';
import { judgeWorkload } from '../../../domain/readiness/judge-workload.ts';
import { rolledOutCondition } from '../../../domain/rollout/rolled-out-condition.ts';
import { gib } from '../../../domain/units/bytes.ts';
import { renderClaimTemplate } from '../../../domain/workload/claim-template.ts';
import { renderWorkload } from '../../../domain/workload/workload.ts';
import type { WorkloadQuestion } from '../../../domain/workload/workload-question.ts';
import { apply, connect, list, pods, read } from './api-client.ts';
import { addNode, type FakeNode, installDeviceClass, l40s, removeNode } from './fake-nodes.ts';
import { applyAll, removeAll } from './golden-replica.ts';
import { type Player, playNodes } from './node-player.ts';
import { until } from './until.ts';

const client = connect(inject('cluster'));
const mostNodes = 4;
const seconds = 60;

/** Nodes with so many accelerators each, of which the first has some to spare. */
interface Room {
  readonly accelerators: number;
  readonly spare: number;
  readonly namespace: string;
}

/** The rooms of one kind of test; tests run side by side, so each has nodes and a namespace of its own. */
function roomsFor(name: string, most: number): readonly Room[] {
  const counts = Array.from({ length: most }, (_, index) => index + 1);
  return counts.flatMap((accelerators) =>
    [0, 1, 2].map((spare) => ({ accelerators, spare, namespace: `${name}-${accelerators}-${spare}` })),
  );
}

const rooms = roomsFor('rollout', 8);
const controls = roomsFor('default', 3);
const nodes: readonly FakeNode[] = [
  ...rooms.flatMap((room) => nodesOf(room, mostNodes)),
  ...controls.flatMap((room) => nodesOf(room, 1)),
];
let player: Player;

function nodesOf({ accelerators, spare, namespace }: Room, count: number): readonly FakeNode[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${namespace}-${index}`,
    labels: { 'eks.amazonaws.com/nodegroup': `${namespace}-${index}` },
    product: l40s,
    accelerators: accelerators + (index === 0 ? spare : 0),
  }));
}

beforeAll(async () => {
  await installDeviceClass(client);
  await Promise.all(nodes.map((node) => addNode(client, node)));
  player = playNodes({ client, nodes: nodes.map(({ name }) => name) });
});

afterAll(async () => {
  await player.stop();
  await Promise.all(nodes.map((node) => removeNode(client, node)));
  client.close();
});

/** One revision of a replica of a shape, as the engine step renders it. */
function render({ accelerators, namespace, nodes: count }: Room & { readonly nodes: number }, revision: string) {
  const replica = `engine-${count}`;
  const selector = { [label.replica]: `${namespace}.${replica}` };
  const question: WorkloadQuestion = {
    replica,
    namespace,
    labels: { [label.managedBy]: 'modelberth', ...selector },
    selector,
    revision,
    rung: `l40s/${count}x${accelerators}`,
    model: { name: 'example/model' },
    engine: { type: 'vLLM', image: `vllm/vllm-openai:v0.${revision.length}.0-${revision}`, args: [] },
    args: ['example/model'],
    shape: {
      nodes: count,
      acceleratorsPerNode: accelerators,
      tensorParallelSize: accelerators,
      pipelineParallelSize: count,
    },
    vendor: 'NVIDIA',
    productName: l40s.productName,
    allocation: 'DRA',
    nodeGroups: Array.from({ length: count }, (_, index) => `${namespace}-${index}`),
    smallestNode: { cpu: 8000, memory: 64 * gib },
    weightBytes: 10 * gib,
  };
  const [, workload] = renderWorkload(question);
  return { workload: housed(workload, namespace), claim: housed(renderClaimTemplate(question), namespace), question };
}

function housed(object: KubernetesObject, namespace: string): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

interface Seen {
  readonly workload: KubernetesObject;
  readonly running: readonly KubernetesObject[];
}

async function see(workload: KubernetesObject): Promise<Seen | undefined> {
  const found = await read(client, workload);
  return found && { workload: found, running: await list(client, pods, workload.metadata.namespace) };
}

/** Waits until our own judgement says that a revision is what runs, and that it answers. */
async function untilLive(workload: KubernetesObject, revision: string): Promise<Seen> {
  const { kind, metadata } = workload;
  return await until(
    `${kind} "${metadata.name}" of "${metadata.namespace}" runs revision ${revision}`,
    async () => {
      const seen = await see(workload);
      if (seen === undefined || judgeWorkload(seen.workload, seen.running) !== 'Ready') return undefined;
      return rolledOutCondition(seen.workload, seen.running, revision).status === 'True' ? seen : undefined;
    },
    { seconds, describe: async () => describeSeen(await see(workload)) },
  );
}

/** Pods and status, for the one who reads why a rollout did not end. */
function describeSeen(seen: Seen | undefined): string {
  const running = seen?.running.map(({ metadata, spec, status }) => ({
    ...metadata,
    managedFields: [],
    node: spec,
    status,
  }));
  return JSON.stringify({ status: seen?.workload.status, running }, null, 1);
}

describe.concurrent('L39 from one revision to the next', () => {
  test.each(rooms)(
    '$accelerators accelerators a node and $spare to spare: the rollout of one to four nodes ends',
    async (room) => {
      for (const shape of [1, 2, 3, 4].map((count) => ({ ...room, nodes: count }))) {
        const before = render(shape, 'before');
        const after = render(shape, 'after');
        await applyAll(client, [before.claim, before.workload]);
        await untilLive(before.workload, 'before');
        await applyAll(client, [after.claim, after.workload]);
        const { running } = await untilLive(after.workload, 'after');
        expect(running.length).toBe(shape.nodes);
        await removeAll(client, [after.workload, before.claim, after.claim]);
      }
    },
  );
});

/** What the controller says of the rollout of a Deployment, as `status reason`. */
function conditionOf({ workload }: Seen, type: string): string {
  const found = readList(workload, ['status', 'conditions'])
    .filter(isRecord)
    .find((condition) => condition.type === type);
  return `${String(found?.status)} ${String(found?.reason)}`;
}

/** The workload with the strategy that Kubernetes sets where none is written, and little patience. */
function withDefaults(workload: KubernetesObject): KubernetesObject {
  const { strategy: _, ...spec } = isRecord(workload.spec) ? workload.spec : {};
  const { metadata } = workload;
  return {
    ...workload,
    metadata: { ...metadata, name: `${metadata.name}-default` },
    spec: { ...spec, progressDeadlineSeconds: 3 },
  };
}

describe.concurrent('L39 with the default strategy of a Deployment', () => {
  test.each(controls)(
    '$accelerators accelerators and $spare to spare: the rollout ends only if the spare ones are enough',
    async (room) => {
      const before = render({ ...room, nodes: 1 }, 'before');
      const after = render({ ...room, nodes: 1 }, 'after');
      const workload = withDefaults(before.workload);
      const next = withDefaults(after.workload);
      await applyAll(client, [before.claim, after.claim, workload]);
      await untilLive(workload, 'before');
      await apply(client, next);
      if (room.spare >= room.accelerators) {
        await untilLive(next, 'after');
      } else {
        const dead = await until(
          `the rollout of "${room.namespace}" is dead`,
          async () => {
            const seen = await see(next);
            return seen !== undefined && conditionOf(seen, 'Progressing') === 'False ProgressDeadlineExceeded'
              ? seen
              : undefined;
          },
          { seconds },
        );
        expect(conditionOf(dead, 'Available')).toBe('True MinimumReplicasAvailable');
        expect(judgeWorkload(dead.workload, dead.running)).toBe('NotReady');
        expect(rolledOutCondition(dead.workload, dead.running, 'after')).toMatchObject({
          status: 'False',
          reason: 'RollingOut',
        });
      }
      await removeAll(client, [next, before.claim, after.claim]);
    },
  );
});
