import { FunctionRunnerServiceService } from '@crossplane-org/function-sdk-typescript';
import { Client, credentials } from '@grpc/grpc-js';

/** Sends one request to a server, as bytes, and waits for the bytes of the answer. */
export interface Caller {
  call(request: Buffer): Promise<Buffer>;
  close(): void;
}

const unlimited = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
export const { path: runFunctionPath } = FunctionRunnerServiceService.runFunction;
const asIs = (bytes: Buffer): Buffer => bytes;

/** A plaintext client that neither encodes nor decodes, so that the measure is of the server. */
export function connectCaller(address: string): Caller {
  const client = new Client(address, credentials.createInsecure(), unlimited);
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(runFunctionPath, asIs, asIs, request, (error, answer) => {
          if (error === null && answer !== undefined) resolve(answer);
          else reject(error ?? new Error('Cannot read an answer: there is none'));
        });
      }),
    close: () => client.close(),
  };
}

/** Calls one after the other for a time, at least once; the milliseconds of each. */
export async function timeCalls(caller: Caller, request: Buffer, forMs: number): Promise<readonly number[]> {
  const samples: number[] = [];
  const end = performance.now() + forMs;
  while (samples.length === 0 || performance.now() < end) {
    const started = performance.now();
    await caller.call(request);
    samples.push(performance.now() - started);
  }
  return samples;
}

/** Clients when several call at once: what one Crossplane sends when it reconciles many claims. */
const clients = 16;

/** Calls of several clients at once for a time, each client one after the other; the milliseconds of each call. */
export async function timeCallsAtOnce(caller: Caller, request: Buffer, forMs: number): Promise<readonly number[]> {
  const lanes = await Promise.all(Array.from({ length: clients }, () => timeCalls(caller, request, forMs)));
  return lanes.flat();
}
