/**
 * Plays every controller that the tests with the real Crossplane do not have, in the one list below; a kind that is not
 * in it is real or has no controller. Kubernetes' own controllers, the scheduler, the garbage collector and Crossplane
 * are real, and `node-player.ts` plays kubelets.
 */
import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readString,
} from '../../../domain/kubernetes/object.ts';
import { type ApiClient, apply, list } from '../cluster/api-client.ts';
import { addNode, type FakeNode, l40s, type Product, removeNode, rtxPro6000 } from '../cluster/fake-nodes.ts';
import { patch, patchStatus } from './patch-object.ts';

/** Whether EC2 has an instance for a node group just now. */
export type Capacity = (group: KubernetesObject) => 'Joins' | 'Refused';

export interface Controllers {
  /** Names of the nodes that joined so far. */
  readonly nodes: readonly string[];
  stop(): Promise<void>;
}

type Play = (client: ApiClient, object: KubernetesObject) => Promise<void>;

const now = () => new Date().toISOString();
const accepted = (object: KubernetesObject, type = 'Accepted') => ({
  type,
  status: 'True',
  reason: type,
  message: type,
  observedGeneration: readNumber(object, ['metadata', 'generation']) ?? 1,
  lastTransitionTime: now(),
});
const controllerName = 'gateway.envoyproxy.io/gatewayclass-controller';
const gatewayApi = 'gateway.networking.k8s.io/v1';
const envoy = 'gateway.envoyproxy.io/v1alpha1';
const aiGateway = 'aigateway.envoyproxy.io/v1beta1';

/** What is played, by kind. */
const played: readonly { readonly apiVersion: string; readonly kind: string; readonly play: Play }[] = [
  { apiVersion: gatewayApi, kind: 'Gateway', play: programGateway },
  { apiVersion: gatewayApi, kind: 'HTTPRoute', play: acceptRoute },
  { apiVersion: envoy, kind: 'BackendTrafficPolicy', play: acceptPolicy },
  { apiVersion: envoy, kind: 'ClientTrafficPolicy', play: acceptPolicy },
  { apiVersion: envoy, kind: 'SecurityPolicy', play: acceptPolicy },
  { apiVersion: envoy, kind: 'Backend', play: acceptObject },
  { apiVersion: aiGateway, kind: 'AIGatewayRoute', play: translateRoute },
  { apiVersion: aiGateway, kind: 'AIServiceBackend', play: acceptObject },
  { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', play: issue },
];
const nodeGroups = { apiVersion: 'eks.aws.m.upbound.io/v1beta1', kind: 'NodeGroup' } as const;

/** Plays until it is stopped. */
export function playControllers(client: ApiClient, capacity: Capacity): Controllers {
  const nodes = new Map<string, readonly FakeNode[]>();
  const names: string[] = [];
  let isStopped = false;
  const tick = async () => {
    const groups = await list(client, nodeGroups).catch(() => []);
    for (const group of groups) await playNodeGroup({ client, group, capacity, nodes, names });
    for (const { apiVersion, kind, play } of played) {
      const objects = await list(client, { apiVersion, kind });
      for (const object of objects.filter(isStale)) await play(client, object);
    }
  };
  const run = async () => {
    while (!isStopped) {
      // A tick that fails is seen in the log, and what it left undone is done by the next.
      await tick().catch((error) => console.error(error));
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  };
  const running = run();
  return {
    nodes: names,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

/** Tells whether nothing was said yet of the present generation of an object. */
function isStale(object: KubernetesObject): boolean {
  const generation = `"observedGeneration":${readNumber(object, ['metadata', 'generation']) ?? 1}`;
  return !JSON.stringify(object.status ?? {}).includes(generation);
}

interface PlayedGroup {
  readonly client: ApiClient;
  readonly group: KubernetesObject;
  readonly capacity: Capacity;
  readonly nodes: Map<string, readonly FakeNode[]>;
  readonly names: string[];
}

const finalizer = 'finalizer.managedresource.crossplane.io';
/** Accelerators of the instance types of the examples, and their product. */
const hardware: Readonly<Record<string, readonly [Product, number]>> = {
  'g6e.xlarge': [l40s, 1],
  'g7e.2xlarge': [rtxPro6000, 1],
  'g7e.12xlarge': [rtxPro6000, 2],
};

/** Provider and EKS in one: a group is ACTIVE whatever EC2 says, and its nodes join when there is capacity. */
async function playNodeGroup({ client, group, capacity, nodes, names }: PlayedGroup): Promise<void> {
  const { name = '', deletionTimestamp } = group.metadata;
  const wanted = deletionTimestamp === undefined ? (readNumber(group, scaling('desiredSize')) ?? 0) : 0;
  const there = nodes.get(name) ?? [];
  if (wanted < there.length) {
    for (const node of there) await removeNode(client, node);
    nodes.set(name, []);
  }
  if (deletionTimestamp !== undefined) return await finish(client, group, []);
  if (readList(group, ['metadata', 'finalizers']).length === 0) await finish(client, group, [finalizer]);
  if (readNumber(group, ['status', 'atProvider', 'scalingConfig', 'desiredSize']) !== wanted)
    await sayActive(client, group, wanted);
  if (there.length >= wanted || capacity(group) === 'Refused') return;
  const made = Array.from({ length: wanted }, (_, index) => nodeOf(group, index));
  for (const node of made) await addNode(client, node);
  nodes.set(name, made);
  names.push(...made.map((node) => node.name));
}

function scaling(field: string): readonly string[] {
  return ['spec', 'forProvider', 'scalingConfig', field];
}

function nodeOf(group: KubernetesObject, index: number): FakeNode {
  const { name = '' } = group.metadata;
  const instanceType = String(readList(group, ['spec', 'forProvider', 'instanceTypes'])[0]);
  const [product, accelerators] = hardware[instanceType] ?? [l40s, 1];
  const labels = {
    ...(isRecord(group.spec) && isRecord(group.spec.forProvider)
      ? (group.spec.forProvider.labels as Record<string, string>)
      : {}),
    'eks.amazonaws.com/nodegroup': name,
    'node.kubernetes.io/instance-type': instanceType,
    'topology.kubernetes.io/zone': 'eu-west-1a',
  };
  return { name: `${name}-${index}`, labels, product, accelerators };
}

async function sayActive(client: ApiClient, group: KubernetesObject, desiredSize: number): Promise<void> {
  const scalingConfig = {
    desiredSize,
    minSize: readNumber(group, scaling('minSize')),
    maxSize: readNumber(group, scaling('maxSize')),
  };
  const ready = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: now() };
  const conditions = [ready, { ...ready, type: 'Synced', reason: 'ReconcileSuccess' }];
  await patchStatus(client, group, { atProvider: { status: 'ACTIVE', scalingConfig }, conditions });
}

async function finish(client: ApiClient, object: KubernetesObject, finalizers: readonly string[]): Promise<void> {
  await patch(client, object, { path: '', body: { metadata: { finalizers } } });
}

async function programGateway(client: ApiClient, gateway: KubernetesObject): Promise<void> {
  const conditions = [accepted(gateway), accepted(gateway, 'Programmed')];
  const listeners = readList(gateway, ['spec', 'listeners'])
    .filter(isRecord)
    .map(({ name }) => ({
      name,
      attachedRoutes: 1,
      supportedKinds: [],
      conditions: [...conditions, accepted(gateway, 'ResolvedRefs')],
    }));
  const addresses = [{ type: 'Hostname', value: 'gateway-0123456789.elb.eu-west-1.amazonaws.com' }];
  await patchStatus(client, gateway, { addresses, conditions, listeners });
}

async function acceptRoute(client: ApiClient, route: KubernetesObject): Promise<void> {
  const conditions = [accepted(route), accepted(route, 'ResolvedRefs')];
  const parents = readList(route, ['spec', 'parentRefs']).map((parentRef) => ({
    parentRef,
    controllerName,
    conditions,
  }));
  await patchStatus(client, route, { parents });
}

async function acceptPolicy(client: ApiClient, policy: KubernetesObject): Promise<void> {
  const gateways = await list(client, { apiVersion: gatewayApi, kind: 'Gateway' });
  const ancestors = gateways.map(({ metadata }) => ({
    ancestorRef: {
      group: 'gateway.networking.k8s.io',
      kind: 'Gateway',
      name: metadata.name,
      namespace: metadata.namespace,
    },
    controllerName,
    conditions: [accepted(policy)],
  }));
  await patchStatus(client, policy, { ancestors });
}

async function acceptObject(client: ApiClient, object: KubernetesObject): Promise<void> {
  await patchStatus(client, object, { conditions: [accepted(object)] });
}

async function issue(client: ApiClient, certificate: KubernetesObject): Promise<void> {
  await patchStatus(client, certificate, { conditions: [accepted(certificate, 'Ready')] });
}

/** AI Gateway makes an HTTPRoute of the same name out of each of its routes, to the Backends of its service backends. */
async function translateRoute(client: ApiClient, route: KubernetesObject): Promise<void> {
  const { name = '', namespace = '', uid } = route.metadata;
  const serviceBackends = await list(client, { apiVersion: aiGateway, kind: 'AIServiceBackend' }, namespace);
  const backends = new Map(
    serviceBackends.map(({ metadata, spec }) => [metadata.name, readString(spec, ['backendRef', 'name'])]),
  );
  const rules = readList(route, ['spec', 'rules']).map((rule) => ({
    backendRefs: readList(rule, ['backendRefs'])
      .filter(isRecord)
      .map(({ name: serviceBackend, weight = 1 }) => ({
        group: 'gateway.envoyproxy.io',
        kind: 'Backend',
        name: backends.get(String(serviceBackend)) ?? String(serviceBackend),
        weight,
      })),
  }));
  const owner = { apiVersion: aiGateway, kind: 'AIGatewayRoute', name, uid, controller: true };
  await apply(client, {
    apiVersion: gatewayApi,
    kind: 'HTTPRoute',
    metadata: { name, namespace, ownerReferences: [owner] },
    spec: { parentRefs: readList(route, ['spec', 'parentRefs']), rules },
  } as unknown as KubernetesObject);
  await acceptObject(client, route);
}
