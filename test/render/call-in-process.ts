import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import { functions } from '../../functions/functions.ts';
import { runFunction } from '../../functions/run-function.ts';
import { surroundings } from './surroundings.ts';

/** Calls a function from bytes to bytes, as a server does, without a socket: for tests that make thousands of calls. */
export const callInProcess: CallFunction = callAt(surroundings.now());

/** The same, at another time than that of the golden cases. */
export function callAt(now: Date): CallFunction {
  const onError = (error: unknown) => {
    throw error;
  };
  const options = { ...surroundings, now: () => now, ttlSeconds: 60, onError };
  return async (name, request) => {
    const answer = runFunction(name, functions[name], RunFunctionRequest.encode(request).finish(), options);
    return RunFunctionResponse.decode(answer.bytes);
  };
}
