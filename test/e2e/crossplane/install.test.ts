/**
 * The product as it is installed: packages from a registry, the real core under its own rights, functions over mTLS, a
 * real API server with its controllers, and both models of examples/poc-2. The stories go on from one another.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isRecord, type KubernetesObject, readList, readString } from '../../../domain/kubernetes/object.ts';
import { functionNames } from '../../../functions/steps.ts';
import { findInstallToolbox } from '../../../scripts/tool-cache.ts';
import { createAuthority } from '../../certificates.ts';
import { readObjects, root } from '../../render/read-cases.ts';
import { type ApiClient, apply, connect, list, pathOf, pods, read } from '../cluster/api-client.ts';
import { endProgram, type RunningProgram } from '../cluster/child-process.ts';
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.ts';
import { installDeviceClass } from '../cluster/fake-nodes.ts';
import { startLeaderWorkerSet } from '../cluster/leader-worker-set.ts';
import { playNodes } from '../cluster/node-player.ts';
import { until } from '../cluster/until.ts';
import { unpackImage } from './build-release.ts';
import {
  announceFunction,
  announceProviders,
  createRuntimeSecret,
  installConfiguration,
  installStubProviders,
  isTrue,
  pushPackages,
} from './install-packages.ts';
import { installPlatform } from './install-platform.ts';
import { type Controllers, playControllers } from './play-controllers.ts';
import { type Functions, runFunctions } from './run-functions.ts';
import { type Crossplane, startCrossplane } from './start-crossplane.ts';

const { release, registry, packages } = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'modelberth-install-'));
const namespace = 'coding';
const api = 'modelberth.dev/v1alpha1';
const kinds = {
  deployments: { apiVersion: api, kind: 'ModelDeployment' },
  replicas: { apiVersion: api, kind: 'ModelReplica' },
  services: { apiVersion: api, kind: 'ModelService' },
  nodeGroups: { apiVersion: 'eks.aws.m.upbound.io/v1beta1', kind: 'NodeGroup' },
} as const;

let controlPlane: ControlPlane;
let client: ApiClient;
let crossplane: Crossplane;
let functions: Functions;
let controllers: Controllers;
let kubelets: { stop(): Promise<void> } | undefined;
let leaderWorkerSet: RunningProgram;
/** Instance types that EC2 has just now. */
const available = new Set<string>();
const started = performance.now();
const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
const say = (what: string) => console.log(`${seconds().padStart(6)} s  ${what}`);

beforeAll(async () => {
  const toolbox = findInstallToolbox();
  if ('missing' in toolbox) throw new Error(`Not installed: ${toolbox.missing.join(', ')}; run "npm run tools"`);
  const authority = createAuthority('modelberth install test');
  controlPlane = await startControlPlane(toolbox.kubernetes);
  client = connect(controlPlane);
  await installPlatform(client, toolbox.crds);
  await installDeviceClass(client);
  leaderWorkerSet = await startLeaderWorkerSet(toolbox.leaderWorkerSet, client, controlPlane);
  say('control plane with the CRDs of the platform');
  crossplane = await startCrossplane({ binary: toolbox.core, client, controlPlane, authority });
  say('Crossplane started');
  pushPackages({ cli: toolbox.cli, packages, release });
  await installStubProviders(client, { cli: toolbox.cli, registry, crds: toolbox.crds, folder });
  unpackImage(join(packages, 'placement-amd64.xpkg'), join(folder, 'image'));
  const bundle = join(folder, 'image/app/main.mjs');
  functions = await runFunctions({ bundle, folder, version: release.version, authority });
  controllers = playControllers(client, (group) => (available.has(firstType(group)) ? 'Joins' : 'Refused'));
  say('packages pushed, functions started');
});

afterAll(async () => {
  await kubelets?.stop();
  await controllers?.stop();
  await functions?.stop();
  await crossplane?.stop();
  if (leaderWorkerSet !== undefined) await endProgram(leaderWorkerSet);
  client?.close();
  await controlPlane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function firstType(group: KubernetesObject): string {
  const { forProvider } = isRecord(group.spec) ? group.spec : {};
  return String(readList(forProvider, ['instanceTypes'])[0]);
}

function object({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }, name: string) {
  return { apiVersion, kind, metadata: { name, namespace } } satisfies KubernetesObject;
}

function conditionOf(found: KubernetesObject | undefined, type: string): Record<string, unknown> | undefined {
  return readList(found, ['status', 'conditions'])
    .filter(isRecord)
    .find((condition) => condition.type === type);
}

/** Waits for a condition of an object and returns it; the failure says what was there in its place. */
async function untilCondition(
  what: KubernetesObject,
  type: string,
  { status, reason, seconds: most = 60 }: { status: string; reason?: string; seconds?: number },
): Promise<Record<string, unknown>> {
  let last: unknown;
  const ask = async () => {
    const found = await read(client, what);
    const condition = conditionOf(found, type);
    last = condition ?? readList(found, ['status', 'conditions']);
    return condition?.status === status && (reason === undefined || condition.reason === reason)
      ? condition
      : undefined;
  };
  const title = `${what.kind} "${what.metadata.name}" has ${type} ${status} ${reason ?? ''}`;
  return await until(title, ask, { seconds: most }).catch((error) => {
    throw new Error(`${error.message}; found ${JSON.stringify(last)}`);
  });
}

async function groupsOf(deployment: string): Promise<readonly KubernetesObject[]> {
  const all = await list(client, kinds.nodeGroups, namespace);
  return all.filter(({ metadata }) => metadata.labels?.['modelberth.dev/deployment'] === deployment);
}

async function mayDo(user: string, verb: string, [group, resource]: readonly [string, string]): Promise<unknown> {
  const resourceAttributes = { namespace, verb, group, resource };
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, resourceAttributes },
  };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const answer = await client.call({ method: 'POST', path, body });
  return isRecord(answer.body) && isRecord(answer.body.status) ? answer.body.status.allowed : answer.body;
}

test('the Configuration brings its Functions and providers along, and its six kinds are served', async () => {
  await createRuntimeSecret(client);
  await installConfiguration(client, release);
  await announceProviders(client);
  for (const name of functionNames) {
    const address = functions.addresses.get(name) ?? '';
    await announceFunction(client, release, { name, address });
  }
  const configuration = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'modelberth' } };
  await untilCondition(configuration, 'Healthy', { status: 'True' });
  const definitions = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition' };
  const established = await until('every XRD is established', async () => {
    const found = await list(client, definitions);
    return found.length === 6 && found.every((definition) => isTrue(definition, 'Established')) ? found : undefined;
  });
  expect(established.length).toBe(6);
  const providers = await list(client, { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider' });
  expect(providers.map(({ metadata }) => metadata.name).sort()).toEqual([
    'crossplane-contrib-provider-kubernetes',
    'upbound-provider-aws-eks',
  ]);
  await until('the node groups of the provider are activated', async () =>
    (await client.findCollection(kinds.nodeGroups)) === undefined ? undefined : true,
  );
  say('Configuration healthy, six XRDs established, node groups activated');
});

describe('an engineer who is bound to modelberth-engineer', () => {
  const user = 'engineer';
  beforeAll(async () => {
    await apply(client, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'engineers', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'modelberth-engineer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    } as unknown as KubernetesObject);
  });
  const rights: readonly [boolean, string, string, string][] = [
    [true, 'create', 'modelberth.dev', 'modeldeployments'],
    [true, 'delete', 'modelberth.dev', 'modelservices'],
    [true, 'list', 'modelberth.dev', 'modelreplicas'],
    [false, 'patch', 'modelberth.dev', 'modelreplicas'],
    [false, 'patch', 'modelberth.dev', 'inferenceclasses'],
    [false, 'delete', 'eks.aws.m.upbound.io', 'nodegroups'],
    [false, 'get', '', 'secrets'],
  ];
  test.each(rights)('is answered %s to %s in %s of %s', async (allowed, verb, group, resource) => {
    const answer = await until('the binding is known', async () => {
      const found = await mayDo(user, verb, [group, resource]);
      return found === allowed ? found : undefined;
    });
    expect(answer).toBe(allowed);
  });
});

test('poc-2, applied as GitOps would, asks for node groups and for nothing else that costs', async () => {
  available.add('g6e.xlarge');
  for (const file of ['1-platform.yaml', '2-claims.yaml'])
    for (const item of readObjects(join(root, 'examples/poc-2', file))) await apply(client, withPatience(item));
  await untilCondition(object(kinds.replicas, 'mimo-0'), 'Placed', { status: 'False', reason: 'WaitingForNodes' });
  const mimo = await groupsOf('mimo');
  expect(mimo.map(firstType)).toEqual(['g7e.12xlarge']);
  const workloads = await list(client, { apiVersion: 'apps/v1', kind: 'Deployment' }, namespace);
  expect(workloads.filter(({ metadata }) => metadata.name?.startsWith('mimo'))).toEqual([]);
  await untilCondition({ apiVersion: api, kind: 'InferenceCluster', metadata: { name: 'europe' } }, 'StackReady', {
    status: 'True',
  });
  say('poc-2 applied, node groups asked for');
});

/** One minute where the example waits for twelve. */
function withPatience(item: KubernetesObject): KubernetesObject {
  if (item.kind !== 'ModelDeployment' || !isRecord(item.spec)) return item;
  const placement = { ...(isRecord(item.spec.placement) ? item.spec.placement : {}), patienceMinutes: 1 };
  return { ...item, spec: { ...item.spec, placement } };
}

test('a placement function that is killed in mid-climb loses nothing, and goes on where it was', async () => {
  const before = await groupsOf('mimo');
  await functions.kill('placement');
  const [mimo] = (await list(client, kinds.deployments, namespace)).filter(({ metadata }) => metadata.name === 'mimo');
  const annotations = { 'example.com/touched': 'true' };
  await client.call({
    method: 'PATCH',
    path: await pathOf(client, mimo as KubernetesObject),
    body: { metadata: { annotations } },
    type: 'application/merge-patch+json',
  });
  await sleep(5000);
  expect((await groupsOf('mimo')).map(({ metadata }) => metadata.uid)).toEqual(
    before.map(({ metadata }) => metadata.uid),
  );
  await functions.restart('placement');
  say('placement killed for 5 s and started again');
});

test('qwen serves once its node joins: scheduled, ready, and routable', async () => {
  kubelets = keepPlaying();
  await untilCondition(object(kinds.replicas, 'qwen-0'), 'EngineReady', { status: 'True', seconds: 90 });
  say('qwen answers its probe');
  await untilCondition(object(kinds.services, 'qwen'), 'Routable', { status: 'True', seconds: 90 });
  await untilCondition(object(kinds.deployments, 'qwen'), 'Ready', { status: 'True', seconds: 90 });
  say('qwen is routable');
});

/** Plays the kubelets of nodes as they join. */
function keepPlaying(): { stop(): Promise<void> } {
  const players: { stop(): Promise<void> }[] = [];
  let known = 0;
  const timer = setInterval(() => {
    const joined = controllers.nodes.slice(known);
    known = controllers.nodes.length;
    if (joined.length > 0) players.push(playNodes({ client, nodes: joined }));
  }, 250);
  return {
    stop: async () => {
      clearInterval(timer);
      for (const player of players) await player.stop();
    },
  };
}

test('mimo is refused its node of two accelerators, changes its shape to two nodes of one, and serves', async () => {
  available.add('g7e.2xlarge');
  const groups = await until(
    'the next rung is asked beside the first',
    async () => {
      const found = await groupsOf('mimo');
      return found.filter((group) => firstType(group) === 'g7e.2xlarge').length === 2 ? found : undefined;
    },
    { seconds: 120 },
  );
  say('two nodes of one accelerator asked for beside the one of two');
  expect(groups.map(firstType).sort()).toEqual(['g7e.12xlarge', 'g7e.2xlarge', 'g7e.2xlarge']);
  await untilCondition(object(kinds.replicas, 'mimo-0'), 'EngineReady', { status: 'True', seconds: 120 });
  const gangs = await list(client, { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' }, namespace);
  expect(gangs.map(({ metadata }) => metadata.name)).toEqual(['mimo-0-gang']);
  const running = (await list(client, pods, namespace)).filter(({ metadata }) => metadata.name?.startsWith('mimo'));
  expect(new Set(running.map((pod) => readString(pod.spec, ['nodeName'])))).toEqual(
    new Set(groups.filter((group) => firstType(group) === 'g7e.2xlarge').map(({ metadata }) => `${metadata.name}-0`)),
  );
  say('mimo serves on two nodes');
});

test('S3 at rest nothing is written: no object of the claims changes for 20 s', async () => {
  await untilCondition(object(kinds.deployments, 'mimo'), 'Ready', { status: 'True', seconds: 90 });
  await sleep(5000);
  const versions = async () => {
    const all = await Promise.all(Object.values(kinds).map((kind) => list(client, kind, namespace)));
    return all
      .flat()
      .map(({ kind, metadata }) => `${kind} ${metadata.name} ${readString(metadata, ['resourceVersion'])}`);
  };
  const before = await versions();
  await sleep(20_000);
  expect(await versions()).toEqual(before);
  expect(before.length).toBeGreaterThan(8);
  say(`at rest: ${before.length} resource versions as they were after 20 s`);
});

test('every package is of one release, and each claim is ready although core may have dropped events of it', async () => {
  const asked = [kinds.deployments, kinds.replicas, kinds.services];
  const claims = (await Promise.all(asked.map((kind) => list(client, kind, namespace)))).flat();
  expect(claims.length).toBe(6);
  expect(claims.flatMap((claim) => conditionOf(claim, 'PackagesMatch') ?? [])).toEqual([]);
  for (const claim of claims) {
    const { status, message } = conditionOf(claim, 'Responsive') ?? {};
    if (status !== 'True') say(`${claim.kind} "${claim.metadata.name}": Responsive ${status}, ${message}`);
    await untilCondition(object(claim, claim.metadata.name ?? ''), 'Ready', { status: 'True' });
  }
});

test('a claim that is deleted in the foreground takes its workload and its node groups with it, and no other', async () => {
  const path = await pathOf(client, object(kinds.deployments, 'qwen'));
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' };
  await client.call({ method: 'DELETE', path, body });
  await until(
    'the claim is gone',
    async () => {
      return (await read(client, object(kinds.deployments, 'qwen'))) === undefined ? true : undefined;
    },
    { seconds: 90 },
  );
  expect(await groupsOf('qwen')).toEqual([]);
  expect((await list(client, kinds.replicas, namespace)).map(({ metadata }) => metadata.name)).toEqual(['mimo-0']);
  expect((await groupsOf('mimo')).length).toBeGreaterThanOrEqual(2);
  say('qwen deleted, with all of it');
});
