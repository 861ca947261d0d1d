import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { CallFunction } from '../../cli/crossplane/function-client.ts';
import { functions } from '../../functions/functions.ts';
import { runFunction } from '../../functions/run-function.ts';
import { surroundings } from './surroundings.ts';

/** Calls a function from bytes to bytes, as a server does, without a socket: for tests that make thousands of calls. */
export const callInProcess: CallFunction = async (name, request) => {
  const bytes = RunFunctionRequest.encode(request).finish();
  const onError = (error: unknown) => {
    throw error;
  };
  const answer = runFunction(name, functions[name], bytes, { ...surroundings, ttlSeconds: 60, onError });
  return RunFunctionResponse.decode(answer.bytes);
};
