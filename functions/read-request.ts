import type { RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { isKubernetesObject, type KubernetesObject } from '../domain/kubernetes/object.ts';
import type { ComposeRequest, Required, RequiredSchema } from './compose.ts';
import { readHandOff } from './hand-off.ts';

/** What a request cannot say about the world: the time, and chance. */
export interface Surroundings {
  readonly now: () => Date;
  readonly randomKey: () => string;
}

export type RequestRead =
  | { readonly state: 'Read'; readonly request: ComposeRequest }
  /** Something that must be kept cannot be read, so nothing may be decided at all. */
  | { readonly state: 'Unreadable'; readonly why: string };

/** The request as a step reads it; unreadable when its XR or a composed resource is no Kubernetes object. */
export function readRequest(request: RunFunctionRequest, surroundings: Surroundings): RequestRead {
  const xr = request.observed?.composite?.resource;
  if (!isKubernetesObject(xr)) {
    return { state: 'Unreadable', why: 'Cannot read the composite resource: it is no object' };
  }
  const observed = readObserved(request);
  const lost = Object.keys(request.observed?.resources ?? {}).filter((key) => !observed.has(key));
  if (lost.length > 0) {
    const keys = lost.sort().slice(0, 5).join('", "');
    return {
      state: 'Unreadable',
      why: `Cannot read the composed resource "${keys}": it is no object, and dropping it would delete it`,
    };
  }
  return { state: 'Read', request: toComposeRequest(request, { xr, observed, surroundings }) };
}

interface Observed {
  readonly xr: KubernetesObject;
  readonly observed: ReadonlyMap<string, KubernetesObject>;
  readonly surroundings: Surroundings;
}

function toComposeRequest(request: RunFunctionRequest, { xr, observed, surroundings }: Observed): ComposeRequest {
  return {
    xr,
    observed,
    required: (name) => readRequired(request, name),
    requiredSchema: (name) => readRequiredSchema(request, name),
    handOff: (entry) => readHandOff(request.context ?? {}, entry),
    now: surroundings.now(),
    randomKey: surroundings.randomKey,
  };
}

/** Observed composed resources by key, sorted; what is no object is left out. */
function readObserved(request: RunFunctionRequest): ReadonlyMap<string, KubernetesObject> {
  const resources = request.observed?.resources ?? {};
  const observed = new Map<string, KubernetesObject>();
  for (const key of Object.keys(resources).sort()) {
    const object = resources[key]?.resource;
    if (isKubernetesObject(object)) observed.set(key, object);
  }
  return observed;
}

/** What was found and cannot be read proves no absence: it counts as not fetched, and the step holds. */
function readRequired(request: RunFunctionRequest, name: string): Required {
  if (!Object.hasOwn(request.requiredResources, name)) return { state: 'Unresolved' };
  const found = (request.requiredResources[name]?.items ?? []).map((item) => item.resource);
  const objects = found.filter(isKubernetesObject);
  if (objects.length < found.length) return { state: 'Unresolved' };
  const [first, ...rest] = objects;
  return first === undefined ? { state: 'Absent' } : { state: 'Present', objects: [first, ...rest] };
}

function readRequiredSchema(request: RunFunctionRequest, name: string): RequiredSchema {
  if (!Object.hasOwn(request.requiredSchemas, name)) return 'Unresolved';
  return request.requiredSchemas[name]?.openapiV3 === undefined ? 'Absent' : 'Present';
}
