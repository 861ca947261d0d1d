/**
 * Turns what a step decided into what it emits, so that nothing shrinks by accident (S1): every observed key of the
 * step that is neither composed nor dropped by name is restored as it was rendered last, and a frozen step restores
 * them all. Refused: trusting each step to re-emit. One forgotten key would delete a pool.
 */
import { inactiveFields } from '../apis/inactive-fields.ts';
import { type Condition, type ConditionType, warningReasons } from '../domain/kubernetes/condition.ts';
import { inUseLabel } from '../domain/kubernetes/label.ts';
import { isRecord, type KubernetesObject } from '../domain/kubernetes/object.ts';
import { restoreRendered } from '../domain/kubernetes/owned-fields.ts';
import { judgeReadiness } from '../domain/readiness/judge-readiness.ts';
import type {
  Composed,
  ComposeRequest,
  Decision,
  Event,
  Freeze,
  HandOffWrite,
  Requirements,
  ResourceRow,
} from './compose.ts';
import { guardDeletion } from './deletion-guard.ts';
import { deliver, shownObject } from './deliver.ts';
import { fieldsCondition } from './fields-condition.ts';
import { type FunctionName, keepsKey, pipelines, steps } from './steps.ts';

/** Everything that one step adds to the response. */
export interface Settled {
  readonly requirements: Requirements;
  readonly composed: ReadonlyMap<string, Composed>;
  readonly rows: readonly ResourceRow[];
  readonly status: Readonly<Record<string, unknown>>;
  readonly conditions: readonly Condition[];
  readonly events: readonly Event[];
  readonly handOffs: readonly HandOffWrite[];
  readonly ready?: boolean;
  readonly wakeInSeconds?: number;
}

/** Completes a decision or a freeze with all that must stay. */
export function settleDecision(name: FunctionName, request: ComposeRequest, outcome: Decision | Freeze): Settled {
  const decision = withGuard(name, request, outcome);
  const composed = deliverAll(request, decision);
  const { held, unknownKeys } = holdKeys(name, request, { composed, dropped: decision.dropped });
  const sorted = new Map([...held, ...composed].sort(([left], [right]) => (left < right ? -1 : 1)));
  const conditions = [
    ...withUnknownKeys(decision.conditions, steps[name].mainCondition[request.xr.kind], unknownKeys),
    ...sayInactiveFields(name, request.xr),
  ];
  // Core calls an XR without any composed resource ready; a step that could not decide knows better (S5).
  const proving = [...sorted.keys()].filter((key) => !key.startsWith('guard-'));
  const isUnproven = 'frozen' in outcome && (proving.length === 0 || outcome.ready === false);
  return {
    ...decision,
    ...(isUnproven ? { ready: false } : {}),
    composed: sorted,
    rows: [...[...sorted.values()].map(toRow), ...(decision.planned ?? [])],
    conditions,
    events: [...changedConditionEvents(request.xr, conditions), ...(decision.events ?? [])],
    handOffs: decision.handOffs ?? [],
  };
}

/** The decision, or the freeze as one, with what protects the XR itself. */
function withGuard(name: FunctionName, request: ComposeRequest, outcome: Decision | Freeze): Decision {
  const isFrozen = 'frozen' in outcome;
  const decision = isFrozen ? freezeAsDecision(name, request, outcome) : outcome;
  const guard = guardDeletion(name, { xr: request.xr, observed: request.observed, isFrozen });
  return {
    ...decision,
    composed: new Map([...decision.composed, ...guard.composed]),
    dropped: new Map([...(decision.dropped ?? []), ...guard.dropped]),
    conditions: [...decision.conditions, ...guard.conditions],
  };
}

/** What is composed in the form in which it is stored; a key that is stored in another form is left to be held. */
function deliverAll(request: ComposeRequest, { composed, access }: Decision): ReadonlyMap<string, Composed> {
  const { name: owner = '', namespace = access?.namespace ?? '' } = request.xr.metadata;
  const delivered = new Map<string, Composed>();
  for (const [key, item] of composed) {
    const made = deliver(item, { key, access, namespace, owner, stored: request.stored.get(key) });
    if (made !== undefined) delivered.set(key, made);
  }
  return delivered;
}

interface Kept {
  readonly composed: ReadonlyMap<string, Composed>;
  readonly dropped: Decision['dropped'];
}

/** Every observed key that must stay although the decision does not compose it, and those of them that nobody owns. */
function holdKeys(name: FunctionName, request: ComposeRequest, { composed, dropped }: Kept) {
  const held = new Map<string, Composed>();
  const unknownKeys: string[] = [];
  const left = [...request.stored.keys()].filter((key) => !composed.has(key));
  for (const key of left) {
    const kept = keepsKey(name, request.xr.kind, key);
    const object = kept === undefined ? undefined : request.stored.get(key);
    if (kept === undefined || object === undefined) continue;
    if (kept === 'Unknown') unknownKeys.push(key);
    const why = holdReason(object, dropped?.get(key), kept);
    if (why !== undefined) held.set(key, hold(object, request.observed.get(key), why));
  }
  return { held, unknownKeys };
}

/** Why a key that was not composed stays; undefined when it may go. */
function holdReason(
  object: KubernetesObject,
  dropped: string | undefined,
  kept: 'Own' | 'Unknown',
): string | undefined {
  if (kept === 'Unknown') return 'no step of this version owns it';
  const inUse = object.metadata.labels?.[inUseLabel] === 'true';
  if (dropped !== undefined && inUse) return 'a Usage protects it; delete the Usage first';
  if (dropped !== undefined) return undefined;
  return 'held as it was last rendered';
}

function hold(object: KubernetesObject, seen: KubernetesObject | undefined, why: string): Composed {
  const ready = seen !== undefined && judgeReadiness(seen) === 'Ready';
  return { object: restoreRendered(object), ready, state: 'Held', why };
}

/** What a status says will happen: a step that holds everything does not do it. */
const promise = 'next';

function freezeAsDecision(name: FunctionName, request: ComposeRequest, freeze: Freeze): Decision {
  const before = isRecord(request.xr.status) ? request.xr.status : {};
  const status = Object.fromEntries(
    steps[name].statusFields
      .filter((field) => field !== promise && Object.hasOwn(before, field))
      .map((field) => [field, before[field]]),
  );
  const { requirements, composed = new Map(), conditions } = freeze;
  return { requirements, composed, status, conditions };
}

function toRow(item: Composed): ResourceRow {
  const { object, state, why, since } = item;
  const { kind, metadata } = shownObject(object);
  return { name: metadata.name ?? '', kind, state, why, ...(since === undefined ? {} : { since }) };
}

/** Says which keys nobody owns, in the step's main condition unless that already says something worse. */
function withUnknownKeys(
  conditions: readonly Condition[],
  type: ConditionType | undefined,
  keys: readonly string[],
): readonly Condition[] {
  const said = conditions.find((condition) => condition.type === type);
  if (type === undefined || keys.length === 0 || (said !== undefined && said.status !== 'True')) return conditions;
  const message = `Cannot account for ${keys.slice(0, 5).join(', ')}: run the version that composed them, or delete them by hand`;
  const unknown: Condition = { type, status: 'Unknown', reason: 'UnknownKey', message };
  return [...conditions.filter((condition) => condition !== said), unknown];
}

/** What no step acts on is said by the first of them, whether it can decide or not. */
function sayInactiveFields(name: FunctionName, xr: KubernetesObject): readonly Condition[] {
  const isFirst = pipelines[xr.kind]?.[0] === name;
  const condition = isFirst ? fieldsCondition(xr, inactiveFields) : undefined;
  return condition === undefined ? [] : [condition];
}

/** One event for each condition whose status or reason differs from what the XR shows (S6). */
function changedConditionEvents(xr: KubernetesObject, conditions: readonly Condition[]): Event[] {
  const status = isRecord(xr.status) ? xr.status : {};
  const before = Array.isArray(status.conditions) ? status.conditions.filter(isRecord) : [];
  return conditions
    .filter(
      (now) => !before.some((was) => was.type === now.type && was.status === now.status && was.reason === now.reason),
    )
    .map((now) => ({
      severity: now.status === 'True' && !warningReasons.includes(now.reason) ? 'Normal' : 'Warning',
      reason: now.reason,
      message: `${now.type}: ${now.message}`,
    }));
}
