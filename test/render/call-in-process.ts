import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import { callInProcess as callWith } from '../../cli/crossplane/in-process-functions.ts';
import { surroundings } from './surroundings.ts';

/** Calls a function from bytes to bytes, as a server does, without a socket: for tests that make thousands of calls. */
export const callInProcess: CallFunction = callAt(surroundings.now());

/** The same, at another time than that of the golden cases. */
export function callAt(now: Date): CallFunction {
  return callWith({ ...surroundings, now: () => now });
}
