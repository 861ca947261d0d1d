import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { Ready, type RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { compressionAlgorithms, logVerbosity, setLogVerbosity, status } from '@grpc/grpc-js';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { connect, type FunctionClient, holdCall, requestFor } from '../test/call-function.ts';
import type { ComposeRequest, Decision } from './compose.ts';
import { type RunningServer, startServer } from './serve.ts';
import type { ServeOptions } from './serve-options.ts';

setLogVerbosity(logVerbosity.NONE);
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const nothing: Decision = { requirements: { resources: {} }, composed: new Map(), status: {}, conditions: [] };

async function start(options: Partial<ServeOptions> = {}): Promise<{ server: RunningServer } & FunctionClient> {
  const log = pino({ level: 'silent' });
  const server = await startServer({
    name: 'gateway',
    compose: () => nothing,
    address: '127.0.0.1:0',
    insecure: true,
    log,
    ...options,
  });
  const client = connect(server.address);
  opened.push(server.stop, client.close);
  return { server, ...client };
}

/** A request with one observed composed resource of the gateway step. */
function requestWithObserved(): RunFunctionRequest {
  const resource = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kept', namespace: 'team-a' },
    data: { a: '1' },
  };
  const request = requestFor('ModelService');
  return {
    ...request,
    observed: {
      ...request.observed,
      resources: { 'gateway-kept': { resource, connectionDetails: {}, ready: Ready.READY_UNSPECIFIED } },
    },
  } as RunFunctionRequest;
}

test('a call is answered with what the function composed', async () => {
  const { call } = await start({ compose: () => ({ ...nothing, status: { address: '203.0.113.7' } }) });
  const response = await call(requestFor('ModelService'));
  expect(response.desired?.composite?.resource).toMatchObject({
    kind: 'ModelService',
    status: { address: '203.0.113.7' },
  });
  expect(response.meta).toEqual({ tag: 'sample', ttl: { seconds: 60, nanos: 0 } });
});

test.each([
  { name: 'a tag of an impossible wire type', bytes: Buffer.from([0x0f]) },
  { name: 'a message that ends too early', bytes: Buffer.from([0x0a, 0x7f, 0x01]) },
  { name: 'text', bytes: Buffer.from('{"observed": {}}') },
])('bytes that are no request, $name, end with INVALID_ARGUMENT and the server lives', async ({ bytes }) => {
  const { call } = await start();
  await expect(call(bytes)).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: expect.stringContaining('Cannot decode the request'),
  });
  await expect(call(requestFor('ModelService'))).resolves.toBeDefined();
});

test('random bytes never end a call with anything but an answer or INVALID_ARGUMENT', async () => {
  const { call } = await start();
  const codes = await Promise.all(
    Array.from({ length: 200 }, (_, length) =>
      call(randomBytes(length)).then(
        () => status.OK,
        (error) => error.code,
      ),
    ),
  );
  expect(codes.filter((code) => code !== status.OK && code !== status.INVALID_ARGUMENT)).toEqual([]);
  await expect(call(requestFor('ModelService'))).resolves.toBeDefined();
});

test('a function that throws keeps every observed resource, says why, and the server lives', async () => {
  const { call } = await start({
    compose: () => {
      throw new Error('boom');
    },
  });
  const response = await call(requestWithObserved());
  expect(response.desired?.resources['gateway-kept']?.resource).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } });
  expect(response.conditions).toMatchObject([
    { type: 'Routable', reason: 'InternalError', message: expect.stringContaining('boom') },
  ]);
  expect(response.results.every((result) => result.severity !== 1)).toBe(true);
  await expect(call(requestWithObserved())).resolves.toEqual(response);
});

test('a connection that does not speak HTTP/2 harms nobody', async () => {
  const { server, call } = await start();
  const socket = connectTcp(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n\r\n'));
  await once(socket.resume(), 'close');
  await expect(call(requestFor('ModelService'))).resolves.toBeDefined();
});

/** Sends raw bytes as a call; resolves with the gRPC status. */
async function sendRaw(address: string, headers: Record<string, string>, body: readonly number[]): Promise<string> {
  const session = connectHttp2(`http://${address}`);
  const path = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', ...headers });
  stream.on('error', () => {});
  let answer: Record<string, unknown> = {};
  stream.on('response', (found) => {
    answer = { ...answer, ...found };
  });
  stream.resume().end(Buffer.from(body));
  await once(stream, 'close');
  session.close();
  return String(answer['grpc-status']);
}

test.each([
  { name: 'an unknown method', headers: { ':path': '/x.Y/Z' }, body: [0, 0, 0, 0, 0], want: status.UNIMPLEMENTED },
  { name: 'no message', headers: {}, body: [], want: status.UNIMPLEMENTED },
  { name: 'a message shorter than it says', headers: {}, body: [0, 0, 0, 0, 9, 1], want: status.UNIMPLEMENTED },
  { name: 'a message of 4 GiB', headers: {}, body: [0, 255, 255, 255, 255], want: status.RESOURCE_EXHAUSTED },
  { name: 'broken gzip', headers: { 'grpc-encoding': 'gzip' }, body: [1, 0, 0, 0, 1, 7], want: status.INTERNAL },
  { name: 'unknown zip', headers: { 'grpc-encoding': 'br' }, body: [1, 0, 0, 0, 1, 7], want: status.UNIMPLEMENTED },
])('a call with $name is refused and the server lives', async ({ headers, body, want }) => {
  const { server, call } = await start();
  expect(await sendRaw(server.address, headers, body)).toBe(String(want));
  await expect(call(requestFor('ModelService'))).resolves.toBeDefined();
});

test('a compressed request is answered', async () => {
  const { server } = await start();
  const { call, close } = connect(server.address, undefined, {
    'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
  });
  opened.push(close);
  await expect(call(requestFor('ModelService', { filler: 'x'.repeat(100_000) }))).resolves.toBeDefined();
});

const mebibyte = 1024 * 1024;

test('a request of 31 MiB passes by default, one of 33 MiB is refused with RESOURCE_EXHAUSTED, and the server lives', async () => {
  const { call } = await start();
  const send = (mebibytes: number) => call(requestFor('ModelService', { filler: 'x'.repeat(mebibytes * mebibyte) }));
  const accepted = await send(31);
  expect(accepted.desired?.composite?.resource).toMatchObject({ kind: 'ModelService' });
  await expect(send(33)).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  await expect(call(requestFor('ModelService'))).resolves.toEqual(accepted);
});

test('a request of 5 MiB is refused with RESOURCE_EXHAUSTED when 4 MiB are allowed', async () => {
  const { call } = await start({ maxRecvMessageSizeMiB: 4 });
  const refused = call(requestFor('ModelService', { filler: 'x'.repeat(5 * mebibyte) }));
  await expect(refused).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
});

test('an answer may be larger than a request', async () => {
  const { call } = await start({
    maxRecvMessageSizeMiB: 1,
    compose: () => ({ ...nothing, status: { address: 'x'.repeat(34 * mebibyte) } }),
  });
  const response = await call(requestFor('ModelService'));
  expect(response.desired?.composite?.resource).toHaveProperty('status.address.length', 34 * mebibyte);
});

test('the clock, the random keys and the longest TTL are those that the server was given', async () => {
  const seen: Pick<ComposeRequest, 'now' | 'randomKey'>[] = [];
  const compose = (request: ComposeRequest) => {
    seen.push(request);
    return nothing;
  };
  const now = new Date('2026-11-30T08:00:00Z');
  const { call } = await start({ compose, now: () => now, ttlSeconds: 7 });
  const { meta } = await call(requestFor('ModelService'));
  expect(meta?.ttl).toEqual({ seconds: 7, nanos: 0 });
  expect(seen.map((request) => request.now)).toEqual([now]);
  const keys = [seen[0]?.randomKey(), seen[0]?.randomKey()];
  expect(new Set(keys).size).toBe(2);
  expect(keys.map((key) => Buffer.from(key ?? '', 'base64url').length)).toEqual([32, 32]);
});

test('a port that is taken is refused with the address in the message', async () => {
  const { server } = await start();
  const second = start({ address: server.address, metricsAddress: '127.0.0.1:0' });
  await expect(second).rejects.toThrow(`Cannot listen on ${server.address}: listen EADDRINUSE`);
});

test('a host name is served on the one address that it resolves to', async () => {
  const { server, call } = await start({ address: 'localhost:0' });
  expect(['127.0.0.1', '[::1]']).toContain(server.address.replace(/:\d+$/, ''));
  await expect(call(requestFor('ModelService'))).resolves.toBeDefined();
});

test('a host name that nobody knows is refused with the name in the message', async () => {
  await expect(start({ address: 'nowhere.invalid:0' })).rejects.toThrow('Cannot listen on nowhere.invalid:0: ');
});

test('a call in flight is answered after the server began to stop, and new connections are refused', async () => {
  const { server } = await start();
  const held = await holdCall(server.address, requestFor('ModelService'));
  const stopped = server.stop();
  const late = connect(server.address);
  opened.push(late.close);
  await expect(late.call(requestFor('ModelService'))).rejects.toMatchObject({ code: status.UNAVAILABLE });
  await expect(held.finish()).resolves.toBe('0');
  await stopped;
});

test('a call in flight is cut off at the limit', async () => {
  const { server } = await start({ shutdownTimeoutSeconds: 0.2 });
  const held = await holdCall(server.address, requestFor('ModelService'));
  const began = Date.now();
  await server.stop();
  expect(Date.now() - began).toBeGreaterThanOrEqual(190);
  await expect(held.finish()).resolves.toBeUndefined();
});

test('a connection is replaced at its age and no call fails, so that callers find new replicas', async () => {
  const { call } = await start({ connectionAgeSeconds: 0.1 });
  let connections = 0;
  const count = () => {
    connections += 1;
  };
  subscribe('net.client.socket', count);
  for (const end = Date.now() + 600; Date.now() < end; ) await call(requestFor('ModelService'));
  unsubscribe('net.client.socket', count);
  expect(connections).toBeGreaterThanOrEqual(3);
});
