import { FunctionRunnerServiceService } from '@crossplane-org/function-sdk-typescript';
import { Client, credentials } from '@grpc/grpc-js';

/** Sends one request to a server, as bytes, and waits for the bytes of the answer. */
export interface Caller {
  call(request: Buffer): Promise<Buffer>;
  close(): void;
}

const unlimited = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
const { path } = FunctionRunnerServiceService.runFunction;
const asIs = (bytes: Buffer): Buffer => bytes;

/** A plaintext client that neither encodes nor decodes, so that the measure is of the server. */
export function connectCaller(address: string): Caller {
  const client = new Client(address, credentials.createInsecure(), unlimited);
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(path, asIs, asIs, request, (error, answer) => {
          if (error === null && answer !== undefined) resolve(answer);
          else reject(error ?? new Error('Cannot read an answer: there is none'));
        });
      }),
    close: () => client.close(),
  };
}

/** Calls one after the other for a time, at least twice; the milliseconds of each. */
export async function timeCalls(caller: Caller, request: Buffer, forMs: number): Promise<readonly number[]> {
  const samples: number[] = [];
  const end = performance.now() + forMs;
  while (samples.length < 2 || performance.now() < end) {
    const started = performance.now();
    await caller.call(request);
    samples.push(performance.now() - started);
  }
  return samples;
}

/** Calls that are in flight at once when throughput is measured: what one Crossplane sends for a few claims. */
const concurrency = 4;

/** Answers per second with a few calls in flight for a time. */
export async function countCalls(caller: Caller, request: Buffer, forMs: number): Promise<number> {
  const started = performance.now();
  let answered = 0;
  const lane = async () => {
    do {
      await caller.call(request);
      answered += 1;
    } while (performance.now() - started < forMs);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return (answered / (performance.now() - started)) * 1000;
}
