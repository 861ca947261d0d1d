/**
 * What every function on the SDK costs at least: its own generated code on a bare grpc-js server. It decodes the
 * request, desires what earlier steps desired and what is observed, and encodes that. It says where it listens on
 * standard error, as a function does.
 */
import {
  FunctionRunnerServiceService,
  type RunFunctionRequest,
  type RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';

type Call = ServerUnaryCall<RunFunctionRequest, RunFunctionResponse>;

function runFunction({ request }: Call, callback: sendUnaryData<RunFunctionResponse>): void {
  const { observed, desired } = request;
  callback(null, {
    meta: { tag: request.meta?.tag ?? '', ttl: { seconds: 60, nanos: 0 } },
    desired: { composite: observed?.composite, resources: { ...observed?.resources, ...desired?.resources } },
    results: [],
    conditions: [],
    context: undefined,
    requirements: undefined,
    output: undefined,
  });
}

const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
server.addService(FunctionRunnerServiceService, { runFunction });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.error(JSON.stringify({ address: `127.0.0.1:${port}` }));
});
