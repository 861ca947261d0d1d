import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import type { Clock } from '../../cli/plan/follow-change.ts';
import { functions } from '../../functions/functions.ts';
import { runFunction } from '../../functions/run-function.ts';
import { surroundings } from '../render/surroundings.ts';

/** Calls the functions in this process, at the time of a clock. */
export function callAt(clock: Clock): CallFunction {
  const onError = (error: unknown) => {
    throw error;
  };
  return async (name, request) => {
    const bytes = RunFunctionRequest.encode(request).finish();
    const options = { ...surroundings, now: () => clock.now, ttlSeconds: 60, onError };
    return RunFunctionResponse.decode(runFunction(name, functions[name], bytes, options).bytes);
  };
}
