/**
 * What every function in TypeScript costs at least: the SDK's own generated code on a bare grpc-js server. It decodes
 * the request, desires what is observed, and encodes that. It says where it listens on standard error, as a function does.
 */
import {
  FunctionRunnerServiceService,
  type RunFunctionRequest,
  type RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';

type Call = ServerUnaryCall<RunFunctionRequest, RunFunctionResponse>;

function runFunction({ request }: Call, callback: sendUnaryData<RunFunctionResponse>): void {
  callback(null, {
    meta: { tag: request.meta?.tag ?? '', ttl: { seconds: 60, nanos: 0 } },
    desired: request.observed,
    results: [],
    conditions: [],
    context: undefined,
    requirements: undefined,
    output: undefined,
  });
}

const server = new Server();
server.addService(FunctionRunnerServiceService, { runFunction });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.error(JSON.stringify({ address: `127.0.0.1:${port}` }));
});
