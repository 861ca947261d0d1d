/**
 * Tier 1: what we render, on Envoy Gateway and a real Envoy, with HTTPRoutes in place of the AI routes. A second gateway
 * without the auth-pin is the control of what the pin does. Long streams run beside the other tests, and through them.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../domain/kubernetes/object.ts';
import { gatewayClaim, serviceClaim } from './claims.ts';
import { callersSecret, gatewayClass, keys, renewCertificate } from './cluster-objects.ts';
import { composeClaims } from './compose-claims.ts';
import { controlRoute, corsPolicy, isKeys, withKeys, withOpenListener } from './control-objects.ts';
import { apiHost, call, callPlain, chat, type WatchedStream, watch, watchHttp2 } from './gateway-client.ts';
import { type RunningGateway, startGateway } from './running-gateway.ts';
import { waitUntil } from './wait-until.ts';

const mimo = '/coding/mimo/v1/chat/completions';
const qwen = '/coding/qwen/v1/chat/completions';
/** A stream of 70 seconds, longer than every default limit. */
const seventySeconds = chat('coding/mimo', { events: 15, everyMs: 5000 }, { stream: true });
/** A stream whose last event comes after 66 silent seconds. */
const silentStream = chat('coding/mimo', { events: 2, gapMs: 66_000 }, { stream: true });
const thirtySeconds = chat('coding/mimo', { events: 31, everyMs: 1000 }, { stream: true });

type Data = Readonly<Record<string, string>>;
const atFirst: Data = { 'coding.agent': keys.agent, 'coding.ci': keys.ci };
/** What is rendered when the Secret of the callers holds other keys. */
const render = (data: Data) =>
  composeClaims([gatewayClaim(), serviceClaim('mimo'), serviceClaim('qwen')], callersSecret(data));
const serve = (data: Data) => [...withOpenListener(render(data)), controlRoute(render(data))];
const renderUnpinned = (data: Data) => render(data).filter(({ metadata }) => metadata.name !== 'inference-auth-pin');
const beside = [gatewayClass, renewCertificate()];

let gateway: RunningGateway;
let unpinned: RunningGateway;
const long: Record<string, Promise<WatchedStream>> = {};

beforeAll(async () => {
  [gateway, unpinned] = await Promise.all([
    startGateway({ tier: 'EnvoyGateway', rendered: serve(atFirst), beside }),
    startGateway({ tier: 'EnvoyGateway', rendered: renderUnpinned(atFirst), beside }),
  ]);
  const { sockets } = gateway;
  const key = keys.agent;
  long.http1 = watch(sockets, { path: mimo, key, body: seventySeconds });
  long.http2 = watchHttp2(sockets, { path: mimo, key, body: seventySeconds });
  long.silent = watch(sockets, { path: mimo, key, body: silentStream });
  long.control = watch(sockets, { path: '/control/', key, body: seventySeconds });
});

afterAll(async () => {
  await Promise.all([gateway, unpinned].map((running) => running?.close()));
});

const status = async (...args: Parameters<typeof call>) => (await call(...args)).status;
const body = chat('coding/mimo');

test('the auth-pin is part of what is rendered, so that the control is one', () => {
  expect(render(atFirst).length - renderUnpinned(atFirst).length).toBe(3);
});

const admissions: readonly { name: string; headers: Record<string, string>; status: number }[] = [
  { name: 'L20 no key is refused', headers: {}, status: 401 },
  { name: 'L20 a key that nobody has is refused', headers: { authorization: 'Bearer bogus' }, status: 401 },
  { name: 'L29 a key as Bearer is admitted', headers: { authorization: `Bearer ${keys.agent}` }, status: 200 },
  { name: 'L29 a key as x-api-key is admitted', headers: { 'x-api-key': keys.ci }, status: 200 },
  {
    name: 'a header with an underscore is refused',
    headers: { authorization: `Bearer ${keys.agent}`, a_b: 'c' },
    status: 400,
  },
];

test.each(admissions)('$name', async ({ headers, status: wanted }) => {
  expect(await status(gateway.sockets, { path: mimo, headers, body })).toBe(wanted);
});

test('L22 the health path answers without a key on both ports, and nothing below it does', async () => {
  expect((await callPlain(gateway.sockets, '/healthz')).status).toBe(200);
  expect(await status(gateway.sockets, { path: '/healthz' })).toBe(200);
  expect([401, 404]).toContain(await status(gateway.sockets, { path: '/healthz/x' }));
});

test('L22 plain HTTP redirects with path and query, and serves no model', async () => {
  const answer = await callPlain(gateway.sockets, `${mimo}?a=b`);
  expect(answer.status).toBe(301);
  expect(answer.headers.location).toBe(`https://${apiHost}${mimo}?a=b`);
});

test('L30 the caller header is the verified caller once, whatever a client sends, and the key stays behind', async () => {
  const forged = ['x-modelberth-caller', 'coding.ci', 'x-modelberth-caller', 'root', 'X-Modelberth-Caller', 'admin'];
  const own = ['x-ai-eg-model', 'x', 'x-aigw-y', 'x', 'x-gateway-destination-endpoint', '10.0.0.1:80'];
  const rawHeaders = [...forged, ...own, 'x-envoy-upstream-rq-timeout-ms', '1', 'x-api-key', keys.agent];
  expect(await status(gateway.sockets, { path: mimo, key: keys.agent, rawHeaders, body })).toBe(200);
  const headers = gateway.engines.mimo.last()?.headers ?? {};
  expect(headers['x-modelberth-caller']).toBe('coding.agent');
  const names = Object.keys(headers);
  expect(names.filter((name) => /^x-(ai-eg|aigw|gateway)-/.test(name))).toEqual([]);
  expect(names).not.toContain('x-envoy-upstream-rq-timeout-ms');
  expect(JSON.stringify(headers)).not.toContain(keys.agent);
});

test('each model goes to its own engine', async () => {
  const before = gateway.engines.qwen.received.length;
  expect(await status(gateway.sockets, { path: qwen, key: keys.ci, body: chat('coding/qwen') })).toBe(200);
  expect(gateway.engines.qwen.received.length).toBe(before + 1);
});

test('a prompt of 200 KiB is accepted', async () => {
  const large = chat('coding/mimo', {}, { padding: 'x'.repeat(200 * 1024) });
  expect(await status(gateway.sockets, { path: mimo, key: keys.agent, body: large })).toBe(200);
  expect(gateway.engines.mimo.last()?.bytes).toBeGreaterThan(200 * 1024);
});

test('L20 a listener without a policy of its own is closed, even to a key that another listener admits', async () => {
  const other = { path: '/control/', host: 'other.example.com', body };
  expect(await status(gateway.sockets, { ...other, key: keys.agent })).toBe(401);
  expect(await status(gateway.sockets, other)).toBe(401);
});

test('a Host that is not the one of the certificate asked for is not served', async () => {
  const mixed = { path: mimo, host: 'other.example.com', sni: apiHost, key: keys.agent, body };
  expect(await status(gateway.sockets, mixed)).not.toBe(200);
});

/** Rotates the keys of a gateway while streams run: adds one, replaces another one's. */
async function rotate(running: RunningGateway, objects: (data: Data) => readonly KubernetesObject[]) {
  const { sockets } = running;
  const admits = (key: string) => async () => (await status(sockets, { path: qwen, key, body })) === 200;
  const streams = Promise.all([
    watch(sockets, { path: mimo, key: keys.ci, body: thirtySeconds }),
    watchHttp2(sockets, { path: mimo, key: keys.ci, body: thirtySeconds }),
    watch(sockets, { path: mimo, key: keys.agent, body: thirtySeconds }),
  ]);
  const added = { ...atFirst, 'coding.new': 'a-key-that-is-added' };
  running.apply(objects(added), beside);
  await waitUntil('the added key is admitted', admits('a-key-that-is-added'));
  const replaced = { ...added, 'coding.agent': 'the-key-that-replaces-it' };
  running.apply(objects(replaced), beside);
  await waitUntil('the replacing key is admitted', admits('the-key-that-replaces-it'));
  return { isOldRefused: (await status(sockets, { path: qwen, key: keys.agent, body })) === 401, streams };
}

const listenerChanges = ['listener_modified', 'listener_in_place_updated', 'total_filter_chains_draining'];

test('keys are added and replaced, and no stream ends for it: not even that of the replaced key', async () => {
  const { streams, isOldRefused } = await rotate(gateway, serve);
  expect(isOldRefused).toBe(true);
  expect((await streams).map(({ isComplete, events }) => ({ isComplete, events }))).toEqual(
    Array.from({ length: 3 }, () => ({ isComplete: true, events: 32 })),
  );
  const statistics = await gateway.statistics();
  expect(listenerChanges.map((name) => statistics.get(`listener_manager.${name}`))).toEqual([0, 0, 0]);
});

test('control: without the auth-pin the same rotation cuts every stream, and only the details of the log tell', async () => {
  const { streams } = await rotate(unpinned, renderUnpinned);
  expect((await streams).map(({ isComplete, status: answered }) => ({ isComplete, answered }))).toEqual(
    Array.from({ length: 3 }, () => ({ isComplete: false, answered: 200 })),
  );
  const statistics = await unpinned.statistics();
  expect(statistics.get('listener_manager.listener_in_place_updated')).toBeGreaterThan(0);
  const details = 'downstream_local_disconnect(filter_chain_is_being_removed)';
  expect(await unpinned.logged({ details, path: mimo })).toMatchObject({ status: 200, flags: 'DC' });
});

test('control: a key that two callers have answers 500 to everybody, which is why it is refused; no stream ends', async () => {
  const { sockets } = gateway;
  const answers = (wanted: number) => async () =>
    (await status(sockets, { path: qwen, key: keys.ci, body })) === wanted;
  const stream = watch(sockets, { path: mimo, key: keys.ci, body: thirtySeconds });
  const doubled = { ...atFirst, 'coding.new': keys.ci };
  expect(render(doubled).find(isKeys)).toEqual(render(atFirst).find(isKeys));
  gateway.apply(withKeys(serve(atFirst), doubled), beside);
  await waitUntil('every route answers 500', answers(500));
  expect((await callPlain(sockets, '/healthz')).status).toBe(200);
  gateway.apply(withKeys(serve(atFirst), { ...atFirst, 'coding.new': 'another' }), beside);
  await waitUntil('the mended keys are admitted', answers(200));
  expect(await stream).toMatchObject({ isComplete: true });
});

test("control: a team's own policy on a route takes the authentication away, unless it is merged", async () => {
  const { sockets } = gateway;
  const merged = { ...corsPolicy, spec: { ...corsPolicy.spec, mergeType: 'StrategicMerge' } };
  const open = async () => (await status(sockets, { path: mimo, body })) === 200;
  gateway.apply([...serve(atFirst), corsPolicy], beside);
  await waitUntil('the route is open to anybody', open);
  gateway.apply([...serve(atFirst), merged], beside);
  await waitUntil('the route asks for a key again', async () => !(await open()));
  expect(await status(sockets, { path: mimo, key: keys.ci, body })).toBe(200);
});

test('L23 streams of 70 seconds and a silence of 66 seconds arrive whole', async () => {
  const ended = await Promise.all([long.http1, long.http2, long.silent]);
  expect(ended.map((stream) => stream?.isComplete)).toEqual([true, true, true]);
  expect(ended.every((stream) => (stream?.seconds ?? 0) > 65)).toBe(true);
});

test("L23 control: a route of a user's own, without timeouts, is cut at 15 seconds and still answers 200", async () => {
  const stream = await long.control;
  expect(stream?.status).toBe(200);
  expect(stream?.isComplete).toBe(false);
  expect(stream?.seconds).toBeGreaterThan(14);
  expect(stream?.seconds).toBeLessThan(20);
  expect(await gateway.logged({ path: '/control/', flags: 'UT' })).toMatchObject({
    status: 200,
    details: 'response_timeout',
  });
});
