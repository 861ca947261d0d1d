import { InferenceClassSpec } from '../../apis/inferenceclasses/schema.ts';
import { InferenceClusterSpec } from '../../apis/inferenceclusters/schema.ts';
import type { Cluster, HardwareClass } from '../../domain/hardware/hardware-class.ts';
import type { Reason } from '../../domain/kubernetes/condition.ts';
import { hasFeature } from '../../domain/kubernetes/feature.ts';
import { apiVersion } from '../../domain/kubernetes/label.ts';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { ComposeRequest, ResourceSelector } from '../compose.ts';
import { readSpec } from '../freeze.ts';

/** A read of required platform objects: their values, or why the step must hold everything as it is. */
export type PlatformRead<T> =
  | { readonly state: 'Present'; readonly value: T }
  | { readonly state: 'Held'; readonly reason: Reason; readonly message: string };

/** The requirement for each class, by name. */
export function requireClasses(names: readonly string[]): Record<string, ResourceSelector> {
  return Object.fromEntries(
    names.map((name) => [`class-${name}`, { apiVersion, kind: 'InferenceClass', matchName: name }]),
  );
}

/** Every named class, in the given order. One that is missing or unreadable holds: a guess could ask for another rung. */
export function readClasses(request: ComposeRequest, names: readonly string[]): PlatformRead<readonly HardwareClass[]> {
  const classes: HardwareClass[] = [];
  for (const name of names) {
    const required = request.required(`class-${name}`);
    if (required.state === 'Unresolved') return waiting();
    if (required.state === 'Absent') {
      const message = `Cannot find InferenceClass "${name}" of spec.placement.classes: create it or take it off the list`;
      return { state: 'Held', reason: 'ClassMissing', message };
    }
    const read = readClass(required.objects[0]);
    if (read.state === 'Held') return read;
    classes.push(read.value);
  }
  return { state: 'Present', value: classes };
}

export function readClass(object: KubernetesObject): PlatformRead<HardwareClass> {
  const read = readSpec(object, InferenceClassSpec);
  if (read.state === 'Invalid') return { state: 'Held', reason: 'ClassMissing', message: read.why };
  const { eks, ...stated } = read.spec;
  const name = object.metadata.name ?? '';
  return { state: 'Present', value: { name, ...withoutUnset(stated), ...withoutUnset(eks ?? { nodeTypes: [] }) } };
}

/** The fields that are stated: a decision tells unset from undefined. */
function withoutUnset<T extends object>(fields: T): { [name in keyof T]: Exclude<T[name], undefined> } {
  const stated = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated) as { [name in keyof T]: Exclude<T[name], undefined> };
}

export function readCluster(object: KubernetesObject): PlatformRead<Cluster> {
  const read = readSpec(object, InferenceClusterSpec);
  if (read.state === 'Invalid') return { state: 'Held', reason: 'ClusterMissing', message: read.why };
  // How it is reached decides nothing about where a replica goes.
  const { eks, access: _access, ...rest } = read.spec;
  const name = object.metadata.name ?? '';
  const hasLeaderWorkerSet = hasFeature(object, 'LeaderWorkerSet');
  const gangs = hasLeaderWorkerSet === undefined ? {} : { hasLeaderWorkerSet };
  return { state: 'Present', value: { name, ...(eks === undefined ? {} : { eks }), ...rest, ...gangs } };
}

export function waiting(): { state: 'Held'; reason: Reason; message: string } {
  return {
    state: 'Held',
    reason: 'WaitingForRequired',
    message: 'Cannot decide before every required object has been fetched; Crossplane fetches them next',
  };
}
