/** Requests and responses of the SDK as our own side of the wire has them: for tests of what reads and writes them. */
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { decodeRequest, encodeResponse, type FnRequest, type FnResponse } from '../functions/wire/fn-messages.ts';

/** A request as it arrives. */
export function receive(request: RunFunctionRequest): FnRequest {
  return decodeRequest(RunFunctionRequest.encode(request).finish());
}

/** A response as it arrives at the other end. */
export function send(response: FnResponse): RunFunctionResponse {
  return RunFunctionResponse.decode(encodeResponse(response));
}
