/** A request as a step reads it, without the wire: for tests of what one function decides. */
import { join } from 'node:path';
import { readObjects } from '../cli/read-objects.ts';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import type { ComposeRequest, RequiredSchema } from '../functions/compose.ts';
import { seeObserved } from '../functions/deliver.ts';
import { readHandOff } from '../functions/hand-off.ts';
import type { InputFields } from '../functions/input.ts';
import { fieldsOfKind } from '../functions/required-fields.ts';
import { readStruct } from '../functions/wire/read-struct.ts';
import { writeStruct } from '../functions/wire/write-struct.ts';
import { surroundings } from './render/surroundings.ts';

export interface ComposeParts {
  readonly xr: KubernetesObject;
  readonly observed?: Readonly<Record<string, KubernetesObject>>;
  /** What was fetched, by the name of the requirement; a name that is not here is unresolved. */
  readonly required?: Readonly<Record<string, readonly KubernetesObject[]>>;
  readonly schemas?: Readonly<Record<string, RequiredSchema>>;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly input?: InputFields;
}

export function composeRequest({
  xr,
  observed = {},
  required = {},
  schemas = {},
  context = {},
  input = {},
}: ComposeParts): ComposeRequest {
  return {
    xr,
    observed: seeObserved(new Map(Object.entries(observed))),
    stored: new Map(Object.entries(observed)),
    required: (name) => {
      const objects = required[name];
      if (objects === undefined) return { state: 'Unresolved' };
      const [first, ...rest] = objects.map(asReceived);
      return first === undefined ? { state: 'Absent' } : { state: 'Present', objects: [first, ...rest] };
    },
    requiredSchema: (name) => schemas[name] ?? 'Unresolved',
    input,
    handOff: (entry) => readHandOff(context, entry),
    now: surroundings.now(),
    randomKey: surroundings.randomKey,
  };
}

/** A required object with the fields that the functions read of its kind, as it comes out of the bytes of a request. */
function asReceived(object: KubernetesObject): KubernetesObject {
  return readStruct(writeStruct(object), fieldsOfKind(object.kind)) as unknown as KubernetesObject;
}

const hello = readObjects(join(import.meta.dirname, '../examples/hello'));

/** An object of `examples/hello`. Throws when it has none of that kind and name. */
export function helloObject(kind: string, name: string): KubernetesObject {
  const found = hello.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`examples/hello has no ${kind} "${name}"`);
  return found;
}

/** An object with fields of its spec replaced; undefined removes one. */
export function withSpec(object: KubernetesObject, fields: Readonly<Record<string, unknown>>): KubernetesObject {
  return { ...object, spec: { ...(object.spec as object), ...fields } };
}

/** The replica of `examples/hello` that a ModelDeployment would compose. */
export const helloReplica: KubernetesObject = {
  apiVersion: 'modelberth.dev/v1alpha1',
  kind: 'ModelReplica',
  metadata: { name: 'llama-0', namespace: 'chat', uid: '11111111-2222-3333-4444-555555555555' },
  spec: {
    deploymentName: 'llama',
    index: 0,
    clusterName: 'europe',
    placement: { classes: ['l4', 'l40s'], patienceMinutes: 12, hedge: 2 },
    usdPerHour: 3,
    traffic: 'Serve',
    template: {
      model: { name: 'meta-llama/Llama-3.1-8B-Instruct' },
      load: { contextTokens: 16384, concurrentRequests: 2 },
      engine: { image: 'vllm/vllm-openai:v0.19.0' },
    },
  },
};

/** What a ModelReplica of `examples/hello` requires, when no node has joined. */
export const helloPlatform: Readonly<Record<string, readonly KubernetesObject[]>> = {
  cluster: [helloObject('InferenceCluster', 'europe')],
  nodes: [],
  pods: [],
  'class-l4': [helloObject('InferenceClass', 'l4')],
  'class-l40s': [helloObject('InferenceClass', 'l40s')],
};
