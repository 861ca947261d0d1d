import type { Condition } from '../domain/kubernetes/condition.ts';
import { isRecord } from '../domain/kubernetes/object.ts';
import type { Composed, Event, Requirements, ResourceSelector } from './compose.ts';
import { writeHandOff } from './hand-off.ts';
import { identifyingFields } from './required-fields.ts';
import type { Settled } from './settle-decision.ts';
import {
  encodeResource,
  type FnCondition,
  type FnContext,
  type FnRequest,
  type FnRequirements,
  type FnResource,
  type FnResponse,
  type FnResult,
  type FnSelector,
  fnReady,
  fnSeverity,
  fnStatus,
  fnTarget,
} from './wire/fn-messages.ts';
import { readStruct, type Wanted } from './wire/read-struct.ts';
import { writeStruct, writeValue } from './wire/write-struct.ts';

/** Shortest and longest time to the next reconcile: 0 would mean none for an hour, a long one leaves lost events unhealed (S4). */
const ttlBounds = { min: 5, max: 60 };

/** The response of a step: what earlier steps desired, byte for byte, with this step's keys, status and conditions. */
export function writeResponse(request: FnRequest, settled: Settled, ttlCapSeconds: number): FnResponse {
  const { desired } = request;
  return {
    meta: { tag: request.meta?.tag ?? '', ttl: { seconds: ttlSeconds(settled.wakeInSeconds, ttlCapSeconds) } },
    desired: {
      composite: writeComposite(request, settled),
      resources: { ...desired?.resources, ...writeComposed(settled.composed) },
      $unknowns: desired?.$unknowns,
    },
    results: settled.events.map(writeEvent),
    conditions: settled.conditions.map(writeCondition),
    context: writeContext(request, settled),
    requirements: writeRequirements(settled.requirements),
  };
}

/** The response to a request that cannot be composed at all: nothing is applied, nothing is deleted. */
export function writeFatal({ meta, desired, context }: FnRequest, message: string): FnResponse {
  return {
    meta: { tag: meta?.tag ?? '' },
    desired,
    results: [{ severity: fnSeverity.Fatal, message, reason: 'InternalError', target: fnTarget.Composite }],
    context,
  };
}

/** Seconds to the next reconcile: the wanted time, capped by Input or flag, within the bounds. */
export function ttlSeconds(wanted: number | undefined, cap: number): number {
  const capped = Math.min(wanted ?? cap, cap);
  return Math.round(Math.min(Math.max(capped, ttlBounds.min), ttlBounds.max));
}

function writeComposite({ desired, observed }: FnRequest, settled: Settled): FnResource {
  const earlier = desired?.composite;
  const { status: earlierStatus } = readObject(earlier);
  const before = isRecord(earlierStatus) ? earlierStatus : {};
  const rows = [...(Array.isArray(before.resources) ? before.resources : []), ...settled.rows];
  const status = { ...before, ...settled.status, ...(rows.length > 0 ? { resources: rows } : {}) };
  const { apiVersion, kind } = readObject(observed?.composite, identifyingFields);
  const ready = settled.ready === undefined ? earlier?.ready : readyOf(settled.ready);
  return {
    resource: writeStruct({ apiVersion, kind, status }),
    ready: ready ?? fnReady.Unspecified,
    $unknowns: earlier?.$unknowns,
  };
}

function readObject(message: FnResource | null | undefined, wanted: Wanted = true): Record<string, unknown> {
  return message?.resource ? readStruct(message.resource, wanted) : {};
}

function writeComposed(composed: ReadonlyMap<string, Composed>): Record<string, Uint8Array> {
  const resources: Record<string, Uint8Array> = {};
  for (const [key, { object, ready }] of composed) {
    resources[key] = encodeResource({ resource: writeStruct(object), ready: readyOf(ready) });
  }
  return resources;
}

function readyOf(ready: boolean): number {
  return ready ? fnReady.True : fnReady.False;
}

function writeCondition(condition: Condition): FnCondition {
  return { ...condition, status: fnStatus[condition.status], target: fnTarget.Composite };
}

function writeEvent({ severity, message, reason }: Event): FnResult {
  const code = severity === 'Normal' ? fnSeverity.Normal : fnSeverity.Warning;
  return { severity: code, message, reason, target: fnTarget.Composite };
}

function writeContext({ context }: FnRequest, { handOffs }: Settled): FnContext | null {
  if (context === null && handOffs.length === 0) return null;
  const fields: Record<string, Uint8Array> = { ...context?.fields };
  for (const { entry, value } of handOffs) {
    const written = writeHandOff(entry, value);
    fields[written.key] = writeValue(written.value);
  }
  return { fields, $unknowns: context?.$unknowns };
}

/** Undefined when nothing is required: an empty message would cost one more call (reference: fn/v1 semantics, core 2.3). */
function writeRequirements({ resources, schemas = {} }: Requirements): FnRequirements | undefined {
  const selectors = Object.entries(resources).map(([name, selector]) => [name, writeSelector(selector)]);
  if (selectors.length === 0 && Object.keys(schemas).length === 0) return undefined;
  return { resources: Object.fromEntries(selectors), schemas };
}

function writeSelector({ apiVersion, kind, matchName, matchLabels, namespace }: ResourceSelector): FnSelector {
  return {
    apiVersion,
    kind,
    matchName,
    matchLabels: matchLabels === undefined ? undefined : { labels: matchLabels },
    namespace,
  };
}
