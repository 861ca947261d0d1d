/**
 * One call of one step, from bytes to bytes. A request that cannot be decoded is refused; everything else that goes
 * wrong freezes the step, so that a bug or a bad Input never becomes an empty desired state (S1).
 */
import type { Condition, Reason } from '../domain/kubernetes/condition.ts';
import { readString } from '../domain/kubernetes/object.ts';
import { assertJsonDecision } from './assert-json.ts';
import type { Compose, ComposeRequest, Decision, Freeze } from './compose.ts';
import { readInput } from './input.ts';
import { readRequest, type Surroundings } from './read-request.ts';
import { recoverRequirements } from './recover-requirements.ts';
import { settleDecision } from './settle-decision.ts';
import { type FunctionName, steps } from './steps.ts';
import { skewCondition } from './version-skew.ts';
import { decodeRequest, encodeResponse } from './wire/fn-messages.ts';
import { readStruct } from './wire/read-struct.ts';
import { UndecodableRequest } from './wire/undecodable-request.ts';
import { writeFatal, writeResponse } from './write-response.ts';

export interface RunOptions extends Surroundings {
  /** Upper bound of the time to the next reconcile, in seconds, where the Input sets none. */
  readonly ttlSeconds: number;
  /** Release of the function's own package; unset where it runs from the sources. */
  readonly packageVersion?: string | undefined;
  /** Called with what a step threw; the step itself is frozen. */
  readonly onError: (error: unknown, xr: ComposeRequest['xr']) => void;
}

/** The kind, namespace and name of the XR that a call was about, for logs and metrics. */
export interface Subject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface Answer {
  readonly bytes: Uint8Array;
  readonly subject?: Subject;
}

/** Answers one call. Throws `UndecodableRequest` only. */
export function runFunction(name: FunctionName, compose: Compose, bytes: Uint8Array, options: RunOptions): Answer {
  const request = decodeRequest(bytes);
  const requestRead = readRequest(request, options);
  if (requestRead.state === 'Unreadable') return { bytes: encodeResponse(writeFatal(request, requestRead.why)) };
  const told = request.input === null ? undefined : readStruct(request.input);
  const input = readInput(name, told);
  const read = { ...requestRead.request, input: input.state === 'Valid' ? input.value : {} };
  const ttl = input.state === 'Invalid' ? options.ttlSeconds : (input.value.ttlSeconds ?? options.ttlSeconds);
  // From an Input that cannot be used as well: a newer one is what an older function cannot read.
  const composition = readString(told, ['packageVersion']);
  const skew = skewCondition(name, read.xr, { composition, function: options.packageVersion });
  const answer = (outcome: Decision | Freeze): Answer => {
    const conditions = skew === undefined ? outcome.conditions : [...outcome.conditions, skew];
    const settled = settleDecision(name, read, { ...outcome, conditions });
    return { bytes: encodeResponse(writeResponse(request, settled, ttl)), subject: subjectOf(read.xr) };
  };
  if (input.state === 'Invalid') return answer(freeze(name, read, 'InvalidInput', input.why));
  try {
    return answer(composeChecked(compose, read));
  } catch (error) {
    if (error instanceof UndecodableRequest) throw error;
    options.onError(error, read.xr);
    const required = [...Object.keys(request.requiredResources), ...Object.keys(request.requiredSchemas)];
    const requirements = recoverRequirements(compose, read, required);
    return answer({ ...freeze(name, read, 'InternalError', internalError(error)), requirements });
  }
}

/** What a step decides, if all of it can be written. */
function composeChecked(compose: Compose, request: ComposeRequest): Decision | Freeze {
  const outcome = compose(request);
  if (!('frozen' in outcome)) assertJsonDecision(outcome);
  return outcome;
}

function subjectOf({ kind, metadata }: ComposeRequest['xr']): Subject {
  const { name = '', namespace } = metadata;
  return namespace === undefined ? { kind, name } : { kind, name, namespace };
}

function internalError(error: unknown): string {
  return `Cannot compose: ${error instanceof Error ? error.message : String(error)}; report this with the log of the function`;
}

/** A freeze that says why in the step's main condition for the kind of the XR. */
function freeze(name: FunctionName, request: ComposeRequest, reason: Reason, message: string): Freeze {
  const type = steps[name].mainCondition[request.xr.kind];
  const conditions: Condition[] = type === undefined ? [] : [{ type, status: 'Unknown', reason, message }];
  return { frozen: true, requirements: { resources: {} }, conditions };
}
