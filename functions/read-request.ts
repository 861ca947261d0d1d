import { isKubernetesObject, isRecord, type KubernetesObject, readPath } from '../domain/kubernetes/object.ts';
import { once } from '../domain/units/once.ts';
import type { ComposeRequest, Required, RequiredSchema } from './compose.ts';
import { seeObserved } from './deliver.ts';
import { readHandOff } from './hand-off.ts';
import { lazyMap } from './lazy-map.ts';
import { fieldsOfKind, identifyingFields } from './required-fields.ts';
import { decodeResource, decodeResources, type FnRequest, type FnResource, hasSchema } from './wire/fn-messages.ts';
import { readStruct, readValue, type Wanted } from './wire/read-struct.ts';

/** What a request cannot say about the world: the time, and chance. */
export interface Surroundings {
  readonly now: () => Date;
  readonly randomKey: () => string;
}

export type RequestRead =
  | { readonly state: 'Read'; readonly request: ComposeRequest }
  /** Something that must be kept cannot be read, so nothing may be decided at all. */
  | { readonly state: 'Unreadable'; readonly why: string };

/**
 * The request as a step reads it; unreadable when its XR or a composed resource is no Kubernetes object. Nothing else
 * of it is decoded before the step asks for it, and of required objects only what `required-fields.ts` names.
 */
export function readRequest(request: FnRequest, surroundings: Surroundings): RequestRead {
  const xr = readObserved(request.observed?.composite);
  if (!isKubernetesObject(xr)) {
    return { state: 'Unreadable', why: 'Cannot read the composite resource: it is no object' };
  }
  const resources = Object.entries(request.observed?.resources ?? {});
  const identities = new Map<string, KubernetesObject>();
  for (const [key, bytes] of resources) {
    const identity = identify(decodeResource(bytes));
    if (isKubernetesObject(identity)) identities.set(key, identity);
  }
  const lost = resources.filter(([key]) => !identities.has(key));
  if (lost.length > 0) {
    const keys = lost.map(([key]) => key).sort();
    return {
      state: 'Unreadable',
      why: `Cannot read the composed resource "${keys.slice(0, 5).join('", "')}": it is no object, and dropping it would delete it`,
    };
  }
  return { state: 'Read', request: toComposeRequest(request, { xr, identities, surroundings }) };
}

interface Observed {
  readonly xr: KubernetesObject;
  /** Of every observed resource by its key no more than which object it is. */
  readonly identities: ReadonlyMap<string, KubernetesObject>;
  readonly surroundings: Surroundings;
}

function toComposeRequest(request: FnRequest, { xr, identities, surroundings }: Observed): ComposeRequest {
  const resources = request.observed?.resources ?? {};
  const required = new Map<string, Required>();
  const stored = lazyMap([...identities.keys()].sort(), (key) => {
    // readRequest has made sure that it is one.
    return readObserved(decodeResource(resources[key] ?? new Uint8Array())) as unknown as KubernetesObject;
  });
  return {
    xr,
    observed: seeObserved(stored, identities),
    stored,
    required: (name) => {
      const read = required.get(name) ?? readRequired(request, name);
      required.set(name, read);
      return read;
    },
    requiredSchema: (name) => readRequiredSchema(request, name),
    input: {},
    handOff: (entry) => readHandOff(readContext(request, entry.key), entry),
    now: surroundings.now(),
    randomKey: surroundings.randomKey,
  };
}

/** Half of an object is who owns each of its fields, which is read where something is held, and seldom else. */
const owners = 'managedFields';
const allButOwners: Wanted = (field) =>
  field !== 'metadata' ? true : (below) => (below === owners ? undefined : true);
const onlyOwners: Wanted = (field) =>
  field !== 'metadata' ? undefined : (below) => (below === owners ? true : undefined);

/** The object of a resource, its owners when somebody asks for them; undefined when it holds none. */
function readObserved(message: FnResource | null | undefined): Record<string, unknown> | undefined {
  const resource = message?.resource;
  if (!resource) return undefined;
  const object = readStruct(resource, allButOwners);
  if (isRecord(object.metadata)) {
    const get = once(() => readPath(readStruct(resource, onlyOwners), ['metadata', owners]));
    Object.defineProperty(object.metadata, owners, { get, enumerable: true });
  }
  return object;
}

/** No more of an object than it takes to tell that it is one, and of which kind. */
function identify({ resource }: FnResource): Record<string, unknown> | undefined {
  return resource === null ? undefined : readStruct(resource, identifyingFields);
}

/** What was found and cannot be read proves no absence: it counts as not fetched, and the step holds. */
function readRequired({ requiredResources }: FnRequest, name: string): Required {
  const bytes = Object.hasOwn(requiredResources, name) ? requiredResources[name] : undefined;
  if (bytes === undefined) return { state: 'Unresolved' };
  const { items } = decodeResources(bytes);
  const objects = readObjects(items).filter(isKubernetesObject);
  if (objects.length < items.length) return { state: 'Unresolved' };
  const [first, ...rest] = objects;
  return first === undefined ? { state: 'Absent' } : { state: 'Present', objects: [first, ...rest] };
}

/** The fields of each object that are read of its kind, which is nearly always that of the object before. */
function readObjects(items: readonly FnResource[]): readonly unknown[] {
  let kind: unknown;
  return items.map(({ resource }) => {
    if (resource === null) return undefined;
    const object = readStruct(resource, fieldsOfKind(kind));
    if (object.kind === kind) return object;
    kind = object.kind;
    return readStruct(resource, fieldsOfKind(kind));
  });
}

function readRequiredSchema({ requiredSchemas }: FnRequest, name: string): RequiredSchema {
  const bytes = Object.hasOwn(requiredSchemas, name) ? requiredSchemas[name] : undefined;
  if (bytes === undefined) return 'Unresolved';
  return hasSchema(bytes) ? 'Present' : 'Absent';
}

/** The entry of the context that has a key, if it has a value. */
function readContext({ context }: FnRequest, key: string): Readonly<Record<string, unknown>> {
  const bytes = context !== null && Object.hasOwn(context.fields, key) ? context.fields[key] : undefined;
  const value = bytes === undefined ? undefined : readValue(bytes);
  return value === undefined ? {} : { [key]: value };
}
