/**
 * Plays the kubelets of fake nodes: keeps their leases and conditions, runs the pods that the scheduler bound to them as
 * a script says, and takes them away when they are deleted. A pod's grace period takes no time.
 */
import { isRecord, type KubernetesObject, readList, readString } from '../../../domain/kubernetes/object.ts';
import { type ApiClient, list, pods as podKind } from './api-client.ts';

/** What a kubelet does with a pod that was bound to its node and has no end yet. */
export type Act = 'Run' | 'Load' | 'Crash';

export interface Player {
  stop(): Promise<void>;
}

export interface PlayerQuestion {
  readonly client: ApiClient;
  /** Names of the nodes that it plays. */
  readonly nodes: readonly string[];
  /** Run: ready at once. Load: runs and never gets ready. Crash: ends with an error again and again. Default Run. */
  readonly act?: (pod: KubernetesObject) => Act;
}

const tickMillis = 250;
/** The controller manager gives a node up after 50 s without a lease. */
const leaseEveryTicks = 20;
const merge = 'application/strategic-merge-patch+json';

/** Plays nodes until it is stopped. */
export function playNodes({ client, nodes, act = () => 'Run' }: PlayerQuestion): Player {
  const played = new Set(nodes);
  let isStopped = false;
  let address = 1;
  const tick = async (count: number) => {
    if (count % leaseEveryTicks === 0) await keepNodes(client, played);
    const bound = await list(client, podKind);
    for (const pod of bound.filter(({ spec }) => played.has(readString(spec, ['nodeName']) ?? ''))) {
      if (pod.metadata.deletionTimestamp !== undefined) await takeAway(client, pod);
      else if (isWaiting(pod)) await start(client, pod, { act: act(pod), address: address++ });
    }
  };
  const run = async () => {
    for (let count = 0; !isStopped; count++) {
      await tick(count);
      await new Promise((resolve) => setTimeout(resolve, tickMillis));
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

function isWaiting(pod: KubernetesObject): boolean {
  return (
    readString(pod, ['status', 'phase']) === 'Pending' && readList(pod, ['status', 'containerStatuses']).length === 0
  );
}

function podPath({ metadata }: KubernetesObject): string {
  return `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
}

async function takeAway(client: ApiClient, pod: KubernetesObject): Promise<void> {
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    preconditions: { uid: readString(pod, ['metadata', 'uid']) },
  };
  await client.call({ method: 'DELETE', path: podPath(pod), body });
}

interface Start {
  readonly act: Act;
  readonly address: number;
}

async function start(client: ApiClient, pod: KubernetesObject, { act, address }: Start): Promise<void> {
  const now = new Date().toISOString();
  const ready = act === 'Run';
  const state = states[act](now);
  const containerStatuses = readList(pod, ['spec', 'containers'])
    .filter(isRecord)
    .map(({ name, image }) => ({ name, image, imageID: '', ready, started: ready, ...state }));
  const conditions = [
    { type: 'Initialized', status: 'True', lastTransitionTime: now },
    { type: 'ContainersReady', status: ready ? 'True' : 'False', lastTransitionTime: now },
    { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now },
  ];
  const podIP = `10.244.${Math.floor(address / 250)}.${(address % 250) + 1}`;
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], startTime: now, conditions, containerStatuses };
  await client.call({ method: 'PATCH', path: `${podPath(pod)}/status`, body: { status }, type: merge });
}

/** The state of the containers of a pod, as kubelet writes it. */
const states: Readonly<Record<Act, (now: string) => Record<string, unknown>>> = {
  Run: (startedAt) => ({ restartCount: 0, state: { running: { startedAt } } }),
  Load: (startedAt) => ({ restartCount: 0, state: { running: { startedAt } } }),
  Crash: (finishedAt) => ({
    restartCount: 3,
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' } },
    lastState: {
      terminated: { exitCode: 1, reason: 'Error', message: 'CUDA out of memory', startedAt: finishedAt, finishedAt },
    },
  }),
};

/** Renews the leases of nodes, and says of those that are not ready that they are. */
async function keepNodes(client: ApiClient, played: ReadonlySet<string>): Promise<void> {
  const found = await list(client, { apiVersion: 'v1', kind: 'Node' });
  for (const node of found.filter(({ metadata }) => played.has(metadata.name ?? ''))) await keepNode(client, node);
}

async function keepNode(client: ApiClient, node: KubernetesObject): Promise<void> {
  const { name = '' } = node.metadata;
  const now = new Date();
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now.toISOString().replace('Z', '000Z') };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
  const patched = await client.call({
    method: 'PATCH',
    path: `${leases}/${name}`,
    body: lease,
    type: 'application/merge-patch+json',
  });
  if (patched.status === 404) await client.call({ method: 'POST', path: leases, body: lease });
  if (hasCondition(node, 'Ready')) return;
  const conditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    reason: 'Played',
    message: 'played by a test',
    lastHeartbeatTime: now.toISOString(),
  }));
  await client.call({
    method: 'PATCH',
    path: `/api/v1/nodes/${name}/status`,
    body: { status: { conditions } },
    type: merge,
  });
}

function hasCondition(object: KubernetesObject, type: string): boolean {
  const conditions = readList(object, ['status', 'conditions']).filter(isRecord);
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}
