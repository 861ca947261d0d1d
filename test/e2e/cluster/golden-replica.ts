/** A replica of the golden cases on the real cluster: what it composes is applied, and what runs there is shown to it. */

import { keyOf } from '../../../cli/crossplane/reconcile-composite.ts';
import type { RenderOutput } from '../../../cli/crossplane/render-output.ts';
import {
  isKubernetesObject,
  isRecord,
  type KubernetesObject,
  readList,
  readPath,
} from '../../../domain/kubernetes/object.ts';
import { callAt, callInProcess } from '../../render/call-in-process.ts';
import { type RenderCase, readCases } from '../../render/read-cases.ts';
import { renderCase } from '../../render/render-case.ts';
import { type ApiClient, apply, list, pods, read, remove } from './api-client.ts';
import { until } from './until.ts';

const steps = new Map(readCases().map((step) => [step.name, step]));

/** A step of a golden case by its name. */
export function readStep(name: string): RenderCase {
  const step = steps.get(name);
  if (step === undefined) throw new Error(`test/render/cases has no "${name}"`);
  return step;
}

/** What a step composes when its class says another product than it does. */
export async function renderWith(step: RenderCase, productName?: string): Promise<RenderOutput> {
  const required = step.required.map((object) =>
    object.kind === 'InferenceClass' && productName !== undefined ? withProduct(object, productName) : object,
  );
  return await renderCase({ ...step, required }, callInProcess);
}

/** A class with the name of another product: what a person copies into the wrong file. */
export function withProduct(hardwareClass: KubernetesObject, productName: string): KubernetesObject {
  const spec = isRecord(hardwareClass.spec) ? hardwareClass.spec : {};
  const accelerator = isRecord(spec.accelerator) ? spec.accelerator : {};
  return { ...hardwareClass, spec: { ...spec, accelerator: { ...accelerator, productName } } };
}

/** The workload of a render and what its pods claim, as they are applied: without an owner, which is not on the cluster. */
export function workloadOf({ composed }: Pick<RenderOutput, 'composed'>): readonly KubernetesObject[] {
  const wanted = composed.filter((object) => /^(claim|workload)-/.test(keyOf(object)));
  return wanted.map((object) => {
    const { name, namespace, labels, annotations } = object.metadata;
    return { ...object, metadata: { name, namespace, labels, annotations } } as KubernetesObject;
  });
}

/** Applies objects, in a namespace that is made for them. */
export async function applyAll(client: ApiClient, objects: readonly KubernetesObject[]): Promise<void> {
  for (const name of new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? [])))
    await apply(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of objects) await apply(client, object);
}

/** Takes objects away and waits until no pod of their namespace is left. */
export async function removeAll(client: ApiClient, objects: readonly KubernetesObject[]): Promise<void> {
  for (const object of objects) await remove(client, object);
  for (const name of new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? [])))
    await until(`no pod is left in namespace "${name}"`, async () =>
      (await list(client, pods, name)).length === 0 ? true : undefined,
    );
}

/** The node groups that may hold the pods of a workload, by its node affinity. */
export function nodeGroupsOf(objects: readonly KubernetesObject[]): readonly string[] {
  const values = JSON.stringify(objects).match(
    /"key":"eks\.amazonaws\.com\/nodegroup","operator":"In","values":(\[[^\]]*\])/,
  );
  return values?.[1] === undefined ? [] : JSON.parse(values[1]);
}

/** The pods of a namespace once there are so many and each has a node; by their name. */
export async function untilBound(
  client: ApiClient,
  namespace: string,
  count: number,
): Promise<ReadonlyMap<string, string>> {
  return await until(`${count} pods of namespace "${namespace}" have a node`, async () => {
    const found = (await list(client, pods, namespace)).map(
      (pod) => [pod.metadata.name ?? '', String(readPath(pod, ['spec', 'nodeName']) ?? '')] as const,
    );
    return found.length === count && found.every(([, node]) => node !== '') ? new Map(found) : undefined;
  });
}

/** What the scheduler says of the pods of a namespace that it has no node for, once it says so. */
export async function untilUnschedulable(client: ApiClient, namespace: string): Promise<readonly string[]> {
  return await until(`the scheduler has no node for a pod of namespace "${namespace}"`, async () => {
    const said = (await list(client, pods, namespace)).flatMap((pod) =>
      readList(pod, ['status', 'conditions'])
        .filter(isRecord)
        .filter(({ type, status }) => type === 'PodScheduled' && status === 'False')
        .map(({ message }) => String(message)),
    );
    return said.length > 0 ? said : undefined;
  });
}

export interface Live {
  readonly step: RenderCase;
  /** What was applied of it; it is read anew. */
  readonly applied: readonly KubernetesObject[];
  /** Other composed objects that it observes as they were rendered. */
  readonly kept?: readonly KubernetesObject[];
  readonly now?: Date;
}

/** One reconcile of a replica that sees its workload and its pods as they are on the cluster now. */
export async function reconcileLive(client: ApiClient, { step, applied, kept = [], now }: Live): Promise<RenderOutput> {
  const live = (await Promise.all(applied.map((object) => read(client, object)))).filter(isKubernetesObject);
  const running = await list(client, pods, step.xr.metadata.namespace);
  const mine = new Set([...live, ...kept].map(keyOf));
  const observed = [...step.observed.filter((object) => !mine.has(keyOf(object))), ...kept, ...live];
  const required = [...step.required.filter(({ kind }) => kind !== 'Pod'), ...running];
  return await renderCase({ ...step, observed, required }, now === undefined ? callInProcess : callAt(now));
}

/** A condition of the XR after a reconcile, as `status reason`, and its message. */
export function conditionOf(
  { composite }: RenderOutput,
  type: string,
): { readonly state: string; readonly message: string } {
  const found = readList(composite, ['status', 'conditions'])
    .filter(isRecord)
    .find((condition) => condition.type === type);
  return { state: `${String(found?.status)} ${String(found?.reason)}`, message: String(found?.message) };
}
