/**
 * What gRPC alone costs in Node: the bytes of a request come back as they are, and nobody looks at them. It says where
 * it listens on standard error, as a function does.
 */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { runFunctionPath } from './bench-load.ts';

const asIs = (bytes: Buffer): Buffer => bytes;

function runFunction({ request }: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void {
  callback(null, request);
}

const server = new Server();
server.register(runFunctionPath, runFunction, asIs, asIs, 'unary');
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.error(JSON.stringify({ address: `127.0.0.1:${port}` }));
});
