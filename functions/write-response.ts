import {
  Ready,
  type Requirements,
  type Resource,
  type ResourceSelector,
  type Result,
  type RunFunctionRequest,
  type RunFunctionResponse,
  Severity,
  Status,
  Target,
} from '@crossplane-org/function-sdk-typescript';
import type { Condition } from '../domain/kubernetes/condition.ts';
import { isRecord } from '../domain/kubernetes/object.ts';
import type { Composed, Requirements as ComposeRequirements, Event, ResourceSelector as Selector } from './compose.ts';
import { writeHandOff } from './hand-off.ts';
import type { Settled } from './settle-decision.ts';

/** Shortest and longest time to the next reconcile: 0 would mean none for an hour, a long one leaves lost events unhealed (S4). */
const ttlBounds = { min: 5, max: 60 };

/** The response of a step: what earlier steps desired, with this step's keys, status and conditions added. */
export function writeResponse(
  request: RunFunctionRequest,
  settled: Settled,
  ttlCapSeconds: number,
): RunFunctionResponse {
  return {
    meta: {
      tag: request.meta?.tag ?? '',
      ttl: { seconds: ttlSeconds(settled.wakeInSeconds, ttlCapSeconds), nanos: 0 },
    },
    desired: {
      composite: writeComposite(request, settled),
      resources: { ...request.desired?.resources, ...writeComposed(settled.composed) },
    },
    results: settled.events.map(writeEvent),
    conditions: settled.conditions.map(writeCondition),
    context: writeContext(request, settled),
    requirements: writeRequirements(settled.requirements),
    output: undefined,
  };
}

/** The response to a request that cannot be composed at all: nothing is applied, nothing is deleted. */
export function writeFatal(request: RunFunctionRequest, message: string): RunFunctionResponse {
  return {
    meta: { tag: request.meta?.tag ?? '', ttl: undefined },
    desired: request.desired,
    results: [{ severity: Severity.SEVERITY_FATAL, message, reason: 'InternalError', target: Target.TARGET_COMPOSITE }],
    conditions: [],
    context: request.context,
    requirements: undefined,
    output: undefined,
  };
}

/** Seconds to the next reconcile: the wanted time, capped by Input or flag, within the bounds. */
export function ttlSeconds(wanted: number | undefined, cap: number): number {
  const capped = Math.min(wanted ?? cap, cap);
  return Math.round(Math.min(Math.max(capped, ttlBounds.min), ttlBounds.max));
}

function writeComposite(request: RunFunctionRequest, settled: Settled): Resource {
  const earlier = request.desired?.composite;
  const earlierStatus = isRecord(earlier?.resource?.status) ? earlier.resource.status : {};
  const earlierRows = Array.isArray(earlierStatus.resources) ? earlierStatus.resources : [];
  const xr = request.observed?.composite?.resource ?? {};
  const rows = [...earlierRows, ...settled.rows];
  const status = { ...earlierStatus, ...settled.status, ...(rows.length > 0 ? { resources: rows } : {}) };
  const ready = settled.ready === undefined ? earlier?.ready : readyOf(settled.ready);
  return {
    resource: { apiVersion: xr.apiVersion, kind: xr.kind, status },
    connectionDetails: {},
    ready: ready ?? Ready.READY_UNSPECIFIED,
  };
}

function writeComposed(composed: ReadonlyMap<string, Composed>): Record<string, Resource> {
  const resources: Record<string, Resource> = {};
  for (const [key, { object, ready }] of composed) {
    resources[key] = { resource: { ...object }, connectionDetails: {}, ready: readyOf(ready) };
  }
  return resources;
}

function readyOf(ready: boolean): Ready {
  return ready ? Ready.READY_TRUE : Ready.READY_FALSE;
}

function writeCondition(condition: Condition): RunFunctionResponse['conditions'][number] {
  const status = {
    True: Status.STATUS_CONDITION_TRUE,
    False: Status.STATUS_CONDITION_FALSE,
    Unknown: Status.STATUS_CONDITION_UNKNOWN,
  };
  return { ...condition, status: status[condition.status], target: Target.TARGET_COMPOSITE };
}

function writeEvent(event: Event): Result {
  const severity = event.severity === 'Normal' ? Severity.SEVERITY_NORMAL : Severity.SEVERITY_WARNING;
  return { severity, message: event.message, reason: event.reason, target: Target.TARGET_COMPOSITE };
}

function writeContext(request: RunFunctionRequest, settled: Settled): Record<string, unknown> | undefined {
  if (request.context === undefined && settled.handOffs.length === 0) return undefined;
  const context: Record<string, unknown> = { ...request.context };
  for (const { entry, value } of settled.handOffs) {
    const written = writeHandOff(entry, value);
    context[written.key] = written.value;
  }
  return context;
}

/** Undefined when nothing is required: an empty message would cost one more call (reference: fn/v1 semantics, core 2.3). */
function writeRequirements(requirements: ComposeRequirements): Requirements | undefined {
  const resources = Object.entries(requirements.resources).map(([name, selector]) => [name, writeSelector(selector)]);
  const schemas = Object.entries(requirements.schemas ?? {});
  if (resources.length === 0 && schemas.length === 0) return undefined;
  return { extraResources: {}, resources: Object.fromEntries(resources), schemas: Object.fromEntries(schemas) };
}

function writeSelector(selector: Selector): ResourceSelector {
  const { apiVersion, kind, matchName, matchLabels, namespace } = selector;
  return {
    apiVersion,
    kind,
    matchName,
    matchLabels: matchLabels === undefined ? undefined : { labels: { ...matchLabels } },
    namespace,
  };
}
