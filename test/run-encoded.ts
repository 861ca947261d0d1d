/** One call of one step from bytes to bytes, as a server makes it, with a toy compose function in place of a real one. */
import {
  type Resource,
  RunFunctionRequest,
  RunFunctionResponse,
  Status,
} from '@crossplane-org/function-sdk-typescript';
import type { KubernetesObject } from '../domain/kubernetes/object.ts';
import type { Compose } from '../functions/compose.ts';
import { type RunOptions, runFunction, type Subject } from '../functions/run-function.ts';
import type { FunctionName } from '../functions/steps.ts';

/** What a request may hold; objects are given as they are and need not be any. */
export interface RequestParts {
  readonly xr?: Readonly<Record<string, unknown>>;
  readonly observed?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What earlier steps desired. */
  readonly desired?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly desiredStatus?: Readonly<Record<string, unknown>>;
  readonly input?: Record<string, unknown>;
  readonly context?: Record<string, unknown>;
  readonly required?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** A request on the wire. */
export function encodeRequest(parts: RequestParts): Uint8Array {
  const { xr, observed = {}, desired, desiredStatus, input, context, required = {} } = parts;
  const requiredResources = Object.entries(required).map(([name, items]) => [name, { items: items.map(toResource) }]);
  const composite = desiredStatus === undefined ? undefined : toResource({ status: desiredStatus });
  const request: RunFunctionRequest = {
    ...RunFunctionRequest.decode(new Uint8Array()),
    meta: { tag: 'a-tag', capabilities: [] },
    observed: { composite: xr === undefined ? undefined : toResource(xr), resources: toResources(observed) },
    desired: desired === undefined ? undefined : { composite, resources: toResources(desired) },
    input,
    context,
    requiredResources: Object.fromEntries(requiredResources),
  };
  return RunFunctionRequest.encode(request).finish();
}

function toResources(objects: NonNullable<RequestParts['observed']>): Record<string, Resource> {
  return Object.fromEntries(Object.entries(objects).map(([key, object]) => [key, toResource(object)]));
}

function toResource(object: Readonly<Record<string, unknown>>): Resource {
  return { resource: { ...object }, connectionDetails: {}, ready: 0 };
}

export interface EncodedAnswer {
  readonly bytes: Uint8Array;
  readonly response: RunFunctionResponse;
  readonly subject?: Subject;
  /** What the step threw. */
  readonly errors: readonly unknown[];
}

/** The clock of every call. */
export const callTime = new Date('2026-12-01T12:00:00Z');

/** Runs a step on bytes, or on the parts of a request, and decodes the answer. */
export function runEncoded(
  name: FunctionName,
  compose: Compose,
  request: RequestParts | Uint8Array,
  options: Partial<RunOptions> = {},
): EncodedAnswer {
  const errors: unknown[] = [];
  const bytes = request instanceof Uint8Array ? request : encodeRequest(request);
  const answer = runFunction(name, compose, bytes, {
    now: () => callTime,
    randomKey: () => 'a-random-key',
    ttlSeconds: 60,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { ...answer, response: RunFunctionResponse.decode(answer.bytes), errors };
}

/** The desired composed objects of a response by key. */
export function desiredObjects(response: RunFunctionResponse): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response.desired?.resources ?? {}).map(([key, { resource }]) => [key, resource]),
  );
}

/** The conditions of a response in the words of Kubernetes. */
export function conditionsOf(response: RunFunctionResponse): readonly Readonly<Record<string, unknown>>[] {
  const words = new Map([
    [Status.STATUS_CONDITION_TRUE, 'True'],
    [Status.STATUS_CONDITION_FALSE, 'False'],
    [Status.STATUS_CONDITION_UNKNOWN, 'Unknown'],
  ]);
  return response.conditions.map(({ type, status, reason, message }) => {
    return { type, status: words.get(status), reason, message };
  });
}

/** The smallest ModelReplica, whose pipeline has the steps placement, engine-config and rollout-strategy. */
export const replicaXr: KubernetesObject = {
  apiVersion: 'modelberth.dev/v1alpha1',
  kind: 'ModelReplica',
  metadata: { name: 'llama-0', namespace: 'chat', uid: '11111111-2222-3333-4444-555555555555' },
  spec: {},
};
