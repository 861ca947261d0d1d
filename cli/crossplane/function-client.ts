import {
  FunctionRunnerServiceService,
  type RunFunctionRequest,
  type RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import { credentials, makeGenericClientConstructor, type ServiceError } from '@grpc/grpc-js';
import type { FunctionName } from '../../functions/steps.ts';

/** Calls one function over gRPC. */
export type CallFunction = (name: FunctionName, request: RunFunctionRequest) => Promise<RunFunctionResponse>;

export interface FunctionClients {
  readonly call: CallFunction;
  close(): void;
}

/** Messages of any size: a response is limited by the core, not here. */
const options = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
const Client = makeGenericClientConstructor(FunctionRunnerServiceService, 'FunctionRunnerService');

/** Plaintext clients for functions that listen on loopback. */
export function connectFunctions(addresses: Readonly<Record<FunctionName, string>>): FunctionClients {
  const clients = new Map(
    Object.entries(addresses).map(([name, address]) => [
      name,
      new Client(address, credentials.createInsecure(), options),
    ]),
  );
  return {
    call: (name, request) =>
      new Promise((resolve, reject) => {
        const client = clients.get(name);
        const run = client?.runFunction;
        if (run === undefined) throw new Error(`No function "${name}" is connected`);
        run.call(client, request, (error: ServiceError | null, response: RunFunctionResponse) => {
          if (error === null) resolve(response);
          else reject(new Error(`Cannot run function "${name}": ${error.message}`, { cause: error }));
        });
      }),
    close: () => {
      for (const client of clients.values()) client.close();
    },
  };
}
