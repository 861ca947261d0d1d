import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { Compose, Decision, Freeze } from '../../functions/compose.ts';
import { functions } from '../../functions/functions.ts';
import type { Surroundings } from '../../functions/read-request.ts';
import { runFunction } from '../../functions/run-function.ts';
import type { CallFunction } from './function-client.ts';

/** Upper bound of the time to the next reconcile in seconds, as `serve` sets it where no flag does. */
const ttlSeconds = 60;

/**
 * Calls the functions from bytes to bytes, as a server does, without a socket: for those that make thousands of calls.
 * What a function throws is thrown here, where a server would freeze the step.
 *
 * @param watch told what each call decided
 */
export function callInProcess(
  surroundings: Surroundings,
  watch: (outcome: Decision | Freeze) => void = () => undefined,
): CallFunction {
  const onError = (error: unknown) => {
    throw error;
  };
  return async (name, request) => {
    const compose: Compose = (read) => {
      const outcome = functions[name](read);
      watch(outcome);
      return outcome;
    };
    const bytes = RunFunctionRequest.encode(request).finish();
    const answer = runFunction(name, compose, bytes, { ...surroundings, ttlSeconds, onError });
    return RunFunctionResponse.decode(answer.bytes);
  };
}
