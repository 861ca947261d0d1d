import { once } from 'node:events';
import { type Client, makeClientConstructor, status } from '@grpc/grpc-js';
import { service } from 'grpc-health-check';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { connect } from '../test/call-function.ts';
import { composeNothing } from '../test/compose-nothing.ts';
import { startServer } from './serve.ts';

const functionService = 'apiextensions.fn.proto.v1.FunctionRunnerService';
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function start(): Promise<{ client: Client; stop: () => Promise<void> }> {
  const log = pino({ level: 'silent' });
  const server = await startServer({
    name: 'gateway',
    compose: composeNothing,
    address: '127.0.0.1:0',
    insecure: true,
    log,
  });
  const { client, close } = connect(server.address);
  opened.push(server.stop, close);
  return { client, stop: server.stop };
}

/** The official definition of the service, as an independent reader of what ours writes. */
const { Check, Watch } = makeClientConstructor(service, 'Health').service;
type Definition = NonNullable<typeof Check>;

function ask(client: Client, method: Definition | undefined, name: string): Promise<unknown> {
  if (method === undefined) throw new Error('the definition has no such method');
  const { path, requestSerialize, responseDeserialize } = method;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: name }, (error, answer) =>
      error === null ? resolve(answer) : reject(error),
    );
  });
}

test.each([
  { name: 'the whole server', service: '' },
  { name: 'the function', service: functionService },
])('$name is SERVING when the server has started', async ({ service: asked }) => {
  const { client } = await start();
  await expect(ask(client, Check, asked)).resolves.toEqual({ status: 'SERVING' });
});

test('a service that is not served is NOT_FOUND, with its name', async () => {
  const { client } = await start();
  await expect(ask(client, Check, 'toString')).rejects.toMatchObject({
    code: status.NOT_FOUND,
    details: expect.stringContaining('"toString"'),
  });
});

test.each([
  { name: 'the function', service: functionService, want: [{ status: 'SERVING' }, { status: 'NOT_SERVING' }] },
  {
    name: 'an unknown service',
    service: 'unknown',
    want: [{ status: 'SERVICE_UNKNOWN' }, { status: 'SERVICE_UNKNOWN' }],
  },
])('who watches $name is told when the server drains, and does not hold it up', async ({ service: asked, want }) => {
  const { client, stop } = await start();
  if (Watch === undefined) throw new Error('the definition has no Watch');
  const stream = client.makeServerStreamRequest(Watch.path, Watch.requestSerialize, Watch.responseDeserialize, {
    service: asked,
  });
  const seen: unknown[] = [];
  stream.on('data', (answer) => seen.push(answer));
  await once(stream, 'data');
  await stop();
  expect(seen).toEqual(want);
});
