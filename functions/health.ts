/**
 * The gRPC health service (grpc.health.v1), for the whole server and for one service by name. Refused: the package
 * `grpc-health-check` at run time. It parses a .proto file on import (58 to 75 ms of a start of about 300 ms, measured
 * 2026-12-02), a file that a bundle does not have; in the tests it is the client that this must satisfy.
 */
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';

/** HealthCheckResponse.ServingStatus (grpc-proto, grpc/health/v1/health.proto, read 2026-12-02). */
const servingStatus = { SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 } as const;
type ServingStatus = keyof typeof servingStatus;

/** HealthCheckRequest. An object, as grpc-js takes an empty string for no message at all. */
interface HealthRequest {
  readonly service: string;
}

export interface Health {
  isServing(): boolean;
  /** Answers NOT_SERVING from now on, tells those who watch, and lets them go. */
  stopServing(): void;
}

/** Adds the health service to a server; it says SERVING for "" and for the named service until told otherwise. */
export function addHealth(server: Server, serviceName: string): Health {
  const watchers = new Set<ServerWritableStream<HealthRequest, ServingStatus>>();
  let current: ServingStatus = 'SERVING';
  const statusOf = (name: string): ServingStatus => (name === '' || name === serviceName ? current : 'SERVICE_UNKNOWN');

  function check(call: ServerUnaryCall<HealthRequest, ServingStatus>, callback: sendUnaryData<ServingStatus>): void {
    const { service } = call.request;
    const found = statusOf(service);
    if (found !== 'SERVICE_UNKNOWN') {
      callback(null, found);
      return;
    }
    const details = `Cannot tell the health of "${service}": want "" or "${serviceName}"`;
    callback({ code: status.NOT_FOUND, details });
  }

  function watch(call: ServerWritableStream<HealthRequest, ServingStatus>): void {
    call.write(statusOf(call.request.service));
    watchers.add(call);
    call.on('cancelled', () => watchers.delete(call));
  }

  server.register('/grpc.health.v1.Health/Check', check, writeStatus, readRequest, 'unary');
  server.register('/grpc.health.v1.Health/Watch', watch, writeStatus, readRequest, 'serverStream');
  return {
    isServing: () => current === 'SERVING',
    stopServing: () => {
      current = 'NOT_SERVING';
      for (const watcher of watchers) {
        watcher.write(statusOf(watcher.request.service));
        watcher.end();
      }
      watchers.clear();
    },
  };
}

/** Field 1 of HealthCheckRequest, a string; "" when it was not sent. */
function readRequest(bytes: Buffer): HealthRequest {
  const reader = new BinaryReader(bytes);
  let service = '';
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) service = reader.string();
    else reader.skip(wireType);
  }
  return { service };
}

/** Field 1 of HealthCheckResponse, an enum. */
function writeStatus(value: ServingStatus): Buffer {
  return Buffer.from(new BinaryWriter().uint32(0x08).int32(servingStatus[value]).finish());
}
