/**
 * The handshake of a ModelDeployment and a ModelService over their replicas: `traffic`, `status.endpoints`, templates.
 * From every start that a lost status, a restart or a person's edit may leave, in any order of their turns, they come to
 * rest with the same end: nobody wakes the other for ever, and no wait is circular.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readInstalledKinds } from '../../cli/crossplane/package-files.ts';
import type { World } from '../../cli/crossplane/world.ts';
import { applyClaims } from '../../cli/plan/apply-claims.ts';
import { followChange } from '../../cli/plan/follow-change.ts';
import { readObjects } from '../../cli/read-objects.ts';
import { assumeInstalled } from '../../cli/render/assume-installed.ts';
import { isRecord, type KubernetesObject, readPath, readString } from '../../domain/kubernetes/object.ts';
import { root } from '../render/read-cases.ts';
import { surroundings } from '../render/surroundings.ts';
import { callAt } from './call-at.ts';
import { renderedOf, runAsCore } from './run-as-core.ts';
import { shuffleBy } from './shuffle-by.ts';

const kinds = readInstalledKinds();

/** The example with a number of replicas and an engine. */
function claimsOf(replicas: number, image: string): readonly KubernetesObject[] {
  return readObjects(join(root, 'examples/hello')).map((claim) => {
    if (claim.kind !== 'ModelDeployment') return claim;
    const spec = isRecord(claim.spec) ? claim.spec : {};
    const budget = { usdPerHour: 9 };
    return {
      ...claim,
      spec: { ...spec, replicas, budget, engine: { ...(isRecord(spec.engine) ? spec.engine : {}), image } },
    };
  });
}

const olderImage = 'vllm/vllm-openai:v0.19.0';
const newerImage = 'vllm/vllm-openai:v0.20.1';

async function serve(replicas: number): Promise<World> {
  const clock = { now: surroundings.now() };
  const follow = { kinds, call: callAt(clock), schema: assumeInstalled(), clock };
  const world = applyClaims(new Map(), claimsOf(replicas, olderImage), kinds);
  return (await followChange({ ...follow, world, rendered: new Map() })).world;
}

/** What may have become of what the two sides tell each other. */
const losses: Readonly<Record<string, (object: KubernetesObject, index: number) => KubernetesObject>> = {
  'nothing is lost': (object) => object,
  'the service has lost its status': (object) =>
    object.kind === 'ModelService' ? withStatus(object, undefined) : object,
  'the replicas have lost their statuses': (object) =>
    object.kind === 'ModelReplica' ? withStatus(object, undefined) : object,
  'the deployment has lost its status': (object) =>
    object.kind === 'ModelDeployment' ? withStatus(object, undefined) : object,
  'the first replica is told to drain': (object) => withTraffic(object, 'Drain', 0),
  'the last replica is told to detach': (object) => withTraffic(object, 'Detach', 1),
  'every replica is told to drain': (object) => withTraffic(object, 'Drain'),
  'the service says that nothing has weight': (object) => withEndpoints(object, { weight: 0, routable: false }),
  'the service says what was long ago': (object) => withEndpoints(object, { generation: 0 }),
  'no replica says which template it has': (object) =>
    object.kind === 'ModelReplica'
      ? { ...object, metadata: { ...object.metadata, annotations: keysOnly(object) } }
      : object,
};

function keysOnly({ metadata }: KubernetesObject): Record<string, string> {
  const entries = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith('crossplane.io/'));
  return Object.fromEntries(entries);
}

function withStatus(object: KubernetesObject, status: unknown): KubernetesObject {
  const { status: _status, ...rest } = object as KubernetesObject & { status?: unknown };
  return status === undefined ? (rest as KubernetesObject) : { ...object, status };
}

function withTraffic(object: KubernetesObject, traffic: string, index?: number): KubernetesObject {
  if (object.kind !== 'ModelReplica') return object;
  if (index !== undefined && readPath(object, ['spec', 'index']) !== index) return object;
  return { ...object, spec: { ...(isRecord(object.spec) ? object.spec : {}), traffic } };
}

function withEndpoints(object: KubernetesObject, fields: object): KubernetesObject {
  if (object.kind !== 'ModelService' || !isRecord(object.status)) return object;
  const rows = readPath(object, ['status', 'endpoints']);
  const endpoints = (Array.isArray(rows) ? rows : []).map((row) => ({ ...row, ...fields }));
  return { ...object, status: { ...object.status, endpoints } };
}

/** What each replica is told and runs in the end. */
function endOf(world: World) {
  const replicas = [...world.values()].filter(({ kind }) => kind === 'ModelReplica');
  const lines = replicas.map((replica) => {
    const { traffic, template } = isRecord(replica.spec) ? replica.spec : {};
    const pods = [...world.values()].filter(
      ({ kind, metadata }) =>
        kind === 'Pod' && metadata.labels?.['modelberth.dev/replica'] === `chat.${replica.metadata.name}`,
    );
    const images = pods.map((pod) => JSON.stringify(pod.spec).match(/vllm-openai:v[\d.]+/)?.[0]);
    return `${replica.metadata.name} ${String(traffic)} ${readString(template, ['engine', 'image'])} runs ${images.join()}`;
  });
  return lines.sort();
}

const lives = new Map<number, World>();

describe.each([1, 2, 3])('of %i replicas', (replicas) => {
  test.each(Object.keys(losses))(
    'comes to rest with every replica edited where %s',
    { timeout: 60_000 },
    async (name) => {
      const live = lives.get(replicas) ?? (await serve(replicas));
      lives.set(replicas, live);
      const lose = losses[name] ?? ((object: KubernetesObject) => object);
      const start = new Map([...live].map(([identity, object], index) => [identity, lose(object, index)]));
      const clock = { now: new Date(surroundings.now().getTime() + 24 * 3_600_000) };
      const core = { kinds, clock, call: callAt(clock) };
      const rendered = await renderedOf({ ...core, world: start });
      const world = applyClaims(start, claimsOf(replicas, newerImage), kinds);
      const seed = replicas * 100 + Object.keys(losses).indexOf(name);
      const { world: end } = await runAsCore({ ...core, world, rendered, shuffle: shuffleBy(seed) });
      const wanted = Array.from(
        { length: replicas },
        (_, index) => `llama-${index} Serve ${newerImage} runs vllm-openai:v0.20.1`,
      );
      expect(endOf(end)).toEqual(wanted);
    },
  );
});
