import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { connect, holdCall, requestFor } from '../test/call-function.ts';
import { composeNothing } from '../test/compose-nothing.ts';
import { startServer } from './serve.ts';
import type { ServeOptions } from './serve-options.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function start(options: Partial<ServeOptions> = {}) {
  const fixed = {
    name: 'gateway',
    compose: composeNothing,
    address: '127.0.0.1:0',
    metricsAddress: '127.0.0.1:0',
    insecure: true,
  } as const;
  const server = await startServer({ ...fixed, log: pino({ level: 'silent' }), ...options });
  const client = connect(server.address);
  opened.push(server.stop, client.close);
  return { server, call: client.call, url: `http://127.0.0.1:${server.metricsPort}` };
}

/** The samples of our own metrics, without the buckets, whose counts depend on the machine. */
async function readSamples(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => /^modelberth_\w+_(total|count)\{/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

test('calls are counted and timed by function and kind', async () => {
  const { call, url } = await start();
  await call(requestFor('ModelService'));
  await call(requestFor('ModelService'));
  await call(requestFor('InferenceGateway'));
  expect(await readSamples(url)).toEqual({
    'modelberth_function_requests_total{function="gateway",kind="ModelService"}': 2,
    'modelberth_function_requests_total{function="gateway",kind="InferenceGateway"}': 1,
    'modelberth_function_request_duration_seconds_count{function="gateway",kind="ModelService"}': 2,
    'modelberth_function_request_duration_seconds_count{function="gateway",kind="InferenceGateway"}': 1,
  });
});

test('requests that cannot be decoded and functions that throw are counted as errors', async () => {
  const { call, url } = await start({
    compose: () => {
      throw new Error('boom');
    },
  });
  await call(requestFor('ModelService'));
  await call(Buffer.from([0x0f])).catch(() => {});
  expect(await readSamples(url)).toMatchObject({
    'modelberth_function_errors_total{function="gateway",kind="ModelService"}': 1,
    'modelberth_function_errors_total{function="gateway",kind=""}': 1,
    'modelberth_function_requests_total{function="gateway",kind="ModelService"}': 1,
    'modelberth_function_requests_total{function="gateway",kind=""}': 1,
  });
});

test('two servers in one process count apart', async () => {
  const first = await start();
  const second = await start();
  await first.call(requestFor('ModelService'));
  expect(Object.keys(await readSamples(first.url))).toHaveLength(2);
  expect(await readSamples(second.url)).toEqual({});
});

test('the process has metrics too, in the format of Prometheus', async () => {
  const { url } = await start();
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toMatch(/^process_cpu_seconds_total \d/m);
});

test('/healthz says NOT_SERVING while calls in flight finish', async () => {
  const { server, url } = await start();
  const read = async () => {
    const response = await fetch(`${url}/healthz`);
    return [response.status, await response.text()];
  };
  expect(await read()).toEqual([200, 'SERVING\n']);
  const held = await holdCall(server.address, requestFor('ModelService'));
  const stopped = server.stop();
  expect(await read()).toEqual([503, 'NOT_SERVING\n']);
  await held.finish();
  await stopped;
});

test('another path is not found', async () => {
  const { url } = await start();
  expect((await fetch(`${url}/debug`)).status).toBe(404);
});

test('no port is opened when no address is given', async () => {
  const server = await startServer({
    name: 'gateway',
    compose: composeNothing,
    address: '127.0.0.1:0',
    insecure: true,
    log: pino({ level: 'silent' }),
  });
  opened.push(server.stop);
  expect(server).not.toHaveProperty('metricsPort');
});

test.each([
  {
    name: 'a port that is taken',
    address: (taken: string) => taken,
    want: /^Cannot serve metrics on 127\.0\.0\.1:\d+: listen EADDRINUSE/,
  },
  { name: 'no address', address: () => '8080', want: 'Cannot serve metrics on "8080": want HOST:PORT' },
])('metrics on $name are refused with the address in the message', async ({ address, want }) => {
  const { server } = await start();
  await expect(start({ metricsAddress: address(server.address) })).rejects.toThrow(want);
});
