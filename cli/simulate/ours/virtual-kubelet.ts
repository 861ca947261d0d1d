/** The nodes of a virtual cluster and what runs on them: pods start once each has a node, and load as long as it takes. */
import { label } from '../../../domain/kubernetes/label.ts';
import {
  isRecord,
  type KubernetesObject,
  readList,
  readNumber,
  readPath,
  readString,
} from '../../../domain/kubernetes/object.ts';
import { nodeGroupLabel, zoneLabel } from '../../../domain/placement/node.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { hasJoined, type Instance } from '../cloud/fleet.ts';
import { isWithin, type World } from '../worlds/world.ts';
import { momentOf } from './moment-of.ts';
import type { ObjectStore } from './object-store.ts';

export interface VirtualKubelet {
  step(minute: number): void;
  /** The instances that the pods of the workload run on; undefined while one has no node. */
  replica(): readonly Instance[] | undefined;
  serving(): boolean;
}

/** A workload that started on some instances. */
interface Started {
  readonly revision: string;
  readonly instances: readonly Instance[];
  readonly at: number;
}

export function createVirtualKubelet(world: World, cloud: Cloud, store: ObjectStore): VirtualKubelet {
  let started: Started | undefined;
  let serving = false;
  return {
    step: (minute) => {
      joinNodes(store, cloud, minute);
      sayReady(store, isWithin(world.blind, minute) ? 'Unknown' : 'True');
      const workload = store.list('LeaderWorkerSet')[0] ?? store.list('Deployment')[0];
      started = workload === undefined ? undefined : startPods({ workload, cloud, started, minute });
      serving = started !== undefined && minute >= started.at + world.loadMinutes;
      if (workload !== undefined) report(store, workload, serving, momentOf(minute));
    },
    replica: () => started?.instances,
    serving: () => serving,
  };
}

/** Nodes appear and go as their instances do. */
function joinNodes(store: ObjectStore, { fleet }: Cloud, minute: number): void {
  const joined = fleet.all.filter((instance) => hasJoined(instance, minute));
  const nodes = new Map(store.list('Node').map((node) => [node.metadata.name, node]));
  for (const instance of joined) {
    if (!nodes.delete(instance.id)) store.put(toNode(instance, labelsOf(store, instance.owner)), momentOf(minute));
  }
  for (const node of nodes.values()) store.remove(node);
}

/** A kubelet that is not heard makes its node Unknown, not gone. */
function sayReady(store: ObjectStore, status: 'True' | 'Unknown'): void {
  for (const node of store.list('Node')) store.setStatus(node, { conditions: [{ type: 'Ready', status }] });
}

interface Start {
  readonly workload: KubernetesObject;
  readonly cloud: Cloud;
  readonly started: Started | undefined;
  readonly minute: number;
}

/** Where the pods run: where they did, if it is the same revision and its nodes are there, else anew. */
function startPods({ workload, cloud, started, minute }: Start): Started | undefined {
  const revision = workload.metadata.labels?.[label.revision] ?? '';
  const places = placesOf(workload);
  const instances = cloud.fleet.all.filter((one) => places.includes(one.owner) && hasJoined(one, minute));
  const nodes = nodesOf(workload);
  if (instances.length < nodes) return undefined;
  const goesOn = started?.revision === revision && started.instances.every((one) => instances.includes(one));
  return goesOn ? started : { revision, instances: instances.slice(0, nodes), at: minute };
}

function toNode({ id, owner, zone }: Instance, labels: Readonly<Record<string, string>>): KubernetesObject {
  const own = { [nodeGroupLabel]: owner, [zoneLabel]: zone };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: id, labels: { ...labels, ...own } }, spec: {} };
}

/** The labels that a node group gives its nodes. */
function labelsOf(store: ObjectStore, group: string): Record<string, string> {
  const object = store.list('NodeGroup').find(({ metadata }) => metadata.name === group);
  const labels = readPath(object, ['spec', 'forProvider', 'labels']);
  return isRecord(labels) ? (labels as Record<string, string>) : {};
}

function nodesOf(workload: KubernetesObject): number {
  return readNumber(workload, ['spec', 'leaderWorkerTemplate', 'size']) ?? 1;
}

const podTemplates: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template'],
  LeaderWorkerSet: ['spec', 'leaderWorkerTemplate', 'workerTemplate'],
};
const nodeTerms = ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];

/** The node groups on whose nodes the pods of a workload may run. */
function placesOf(workload: KubernetesObject): readonly string[] {
  const template = readPath(workload, podTemplates[workload.kind] ?? []);
  const terms = readList(template, ['spec', 'affinity', ...nodeTerms]);
  const expressions = terms.flatMap((term) => readList(term, ['matchExpressions']));
  const groups = expressions.filter((one) => readString(one, ['key']) === nodeGroupLabel);
  return groups.flatMap((one) => readList(one, ['values'])).map(String);
}

/** What the controllers of a workload would say of it. */
function report(store: ObjectStore, workload: KubernetesObject, serving: boolean, now: Date): void {
  const { generation, namespace, name, labels = {} } = workload.metadata;
  const count = serving ? 1 : 0;
  store.setStatus(workload, {
    observedGeneration: generation,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: count,
    availableReplicas: count,
  });
  if (workload.kind !== 'LeaderWorkerSet') return;
  for (let index = 0; index < nodesOf(workload); index += 1) {
    const metadata = { name: `${name}-0-${index}`, labels, ...(namespace === undefined ? {} : { namespace }) };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
    store.put({ ...pod, spec: {} }, now);
    store.setStatus(pod, { conditions: [{ type: 'Ready', status: serving ? 'True' : 'False' }] });
  }
}
