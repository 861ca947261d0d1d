/**
 * Tier 2: what we render, on the AI gateway, Envoy Gateway and a real Envoy. AI Gateway 1.0.0 is what is to be had and what
 * is tested; what it lacks is said in a test of its own.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatewayClaim, serviceClaim, withFallback } from './claims.ts';
import { callersSecret, gatewayClass, keys, renewCertificate, vendorKey, vendorSecret } from './cluster-objects.ts';
import { composeClaims } from './compose-claims.ts';
import { untimedRoute } from './control-objects.ts';
import { call, chat, type WatchedStream, watch } from './gateway-client.ts';
import { type RunningGateway, startGateway } from './running-gateway.ts';
import { waitUntil } from './wait-until.ts';

const path = '/v1/chat/completions';
const anthropic = '/anthropic/v1/messages';
const seventySeconds = { events: 15, everyMs: 5000 };

const render = (data: Readonly<Record<string, string>>) => {
  const claims = [gatewayClaim(), serviceClaim('mimo', withFallback), serviceClaim('qwen')];
  const rendered = composeClaims(claims, callersSecret(data));
  return [...rendered, untimedRoute(rendered)];
};
const atFirst = { 'coding.agent': keys.agent, 'coding.ci': keys.ci };
const beside = [gatewayClass, renewCertificate(), vendorSecret];

let gateway: RunningGateway;
const long: Record<string, Promise<WatchedStream>> = {};

beforeAll(async () => {
  gateway = await startGateway({ tier: 'AIGateway', rendered: render(atFirst), beside });
  const key = keys.ci;
  await waitUntil('callers are admitted', async () => (await ask({ key })).status === 200);
  const { sockets } = gateway;
  long.served = watch(sockets, { path, key, body: chat('coding/mimo', seventySeconds, { stream: true }) });
  long.untimed = watch(sockets, { path, key, body: chat('coding/untimed', seventySeconds, { stream: true }) });
});

afterAll(async () => {
  await gateway?.close();
});

interface Ask {
  readonly key?: string;
  readonly model?: string;
  readonly headers?: Record<string, string>;
  readonly more?: object;
  readonly mock?: Parameters<typeof chat>[1];
  readonly to?: string;
}

function ask({ key = keys.ci, model = 'coding/mimo', headers = {}, more, mock, to = path }: Ask) {
  const body = chat(model, mock, more);
  return call(gateway.sockets, { path: to, headers: { authorization: `Bearer ${key}`, ...headers }, body });
}

test('L29 a key is admitted from either header, and none and a bogus one are refused', async () => {
  const body = chat('coding/mimo');
  const status = async (headers: Record<string, string>) =>
    (await call(gateway.sockets, { path, headers, body })).status;
  expect(await status({})).toBe(401);
  expect(await status({ authorization: 'Bearer bogus' })).toBe(401);
  expect(await status({ authorization: `Bearer ${keys.ci}` })).toBe(200);
  expect(await status({ 'x-api-key': keys.agent })).toBe(200);
});

test('L20 the list of models needs a key, and lists each model once', async () => {
  expect((await call(gateway.sockets, { path: '/v1/models' })).status).toBe(401);
  const { body } = await call(gateway.sockets, { path: '/v1/models', key: keys.ci });
  const models = (JSON.parse(body) as { data: readonly { id: string; owned_by: string }[] }).data;
  const ours = models.filter(({ id }) => id !== 'coding/untimed');
  expect(ours.map(({ id, owned_by: owner }) => [id, owner]).sort()).toEqual([
    ['coding/mimo', 'coding'],
    ['coding/qwen', 'coding'],
  ]);
});

test('L26 the model of the body decides the engine, and an unknown one is not found', async () => {
  const before = gateway.engines.qwen.received.length;
  expect((await ask({ model: 'coding/qwen' })).status).toBe(200);
  expect(gateway.engines.qwen.received.length).toBe(before + 1);
  expect(gateway.engines.qwen.last()).toMatchObject({ path: '/v1/chat/completions', model: 'coding/qwen' });
  expect((await ask({ model: 'coding/unknown' })).status).toBe(404);
  expect((await ask({ to: '/metrics' })).status).toBe(404);
});

test('L30 a forged model or caller has no effect, and the key stays behind', async () => {
  const headers = { 'x-ai-eg-model': 'coding/qwen', 'x-modelberth-caller': 'root', 'x-api-key': keys.ci };
  expect((await ask({ headers, model: 'coding/unknown' })).status).toBe(404);
  expect((await ask({ headers })).status).toBe(200);
  const received = gateway.engines.mimo.last();
  expect(received?.headers['x-modelberth-caller']).toBe('coding.ci');
  expect(JSON.stringify(received?.headers)).not.toContain(keys.ci);
  expect((await ask({ headers: { a_b: 'c' } })).status).toBe(400);
});

test('L25 Anthropic clients reach the engine in its own words, plain and streamed', async () => {
  const headers = { 'x-api-key': keys.agent, 'anthropic-version': '2023-06-01' };
  const body = chat('coding/mimo', {}, { max_tokens: 16 });
  const plain = await call(gateway.sockets, { path: `${anthropic}?beta=true`, headers, body });
  expect(plain.status).toBe(200);
  expect(JSON.parse(plain.body)).toMatchObject({ type: 'message', usage: { output_tokens: 7 } });
  expect(gateway.engines.mimo.last()).toMatchObject({ path: '/v1/messages', model: 'coding/mimo' });
  const streamed = chat('coding/mimo', {}, { max_tokens: 16, stream: true });
  expect(await watch(gateway.sockets, { path: anthropic, headers, body: streamed })).toMatchObject({
    status: 200,
    isComplete: true,
  });
});

test('AI Gateway 1.0.0 does not count tokens for Anthropic clients; 1.1 does', async () => {
  expect((await ask({ to: `${anthropic}/count_tokens` })).status).toBe(404);
});

test('a prompt of 200 KiB is accepted, and a body of 60 MiB is answered 413', async () => {
  expect((await ask({ more: { padding: 'x'.repeat(200 * 1024) } })).status).toBe(200);
  expect((await ask({ more: { padding: 'x'.repeat(60 * 1024 * 1024) } })).status).toBe(413);
});

test("an engine's own error is passed on, and the vendor is not asked", async () => {
  const before = gateway.engines.vendor.received.length;
  expect((await ask({ mock: { status: 500 } })).status).toBe(500);
  expect(gateway.engines.vendor.received.length).toBe(before);
});

const tokens = { tokens_in: 11, tokens_cached: 4, tokens_out: 7, tokens_total: 18 };

test('L32 the log has caller, model and tokens, of a plain answer and of a stream that did not ask for its usage', async () => {
  await ask({ headers: { 'x-request-id': 'plain' } });
  expect(await gateway.logged({ request_id: 'plain' })).toMatchObject({
    ...{ caller: 'coding.ci', caller_ai: 'coding.ci', model: 'coding/mimo', status: 200, path, ...tokens },
  });
  await ask({ headers: { 'x-request-id': 'streamed' }, more: { stream: true } });
  expect(await gateway.logged({ request_id: 'streamed' })).toMatchObject({ caller: 'coding.ci', ...tokens });
});

test('keys are added and replaced beside the AI filter, and a stream does not end for it', async () => {
  const body = chat('coding/qwen', { events: 21, everyMs: 1000 }, { stream: true });
  const stream = watch(gateway.sockets, { path, key: keys.agent, body });
  const replaced = { 'coding.agent': 'the-key-that-replaces-it', 'coding.ci': keys.ci, 'coding.new': 'added-key' };
  gateway.apply(render(replaced), beside);
  await waitUntil('the added key is admitted', async () => (await ask({ key: 'added-key' })).status === 200);
  expect((await ask({ key: keys.agent })).status).toBe(401);
  expect(await stream).toMatchObject({ isComplete: true, events: 23 });
});

test('L23 a stream of 70 seconds arrives whole', async () => {
  expect(await long.served).toMatchObject({ status: 200, isComplete: true });
});

test('L23 control: a route of the AI gateway without timeouts is cut at 60 seconds and still answers 200', async () => {
  const stream = await long.untimed;
  expect(stream).toMatchObject({ status: 200, isComplete: false });
  expect(stream?.seconds).toBeGreaterThan(58);
  expect(stream?.seconds).toBeLessThan(66);
});

test('the hosted model answers when the engine refuses, by its own name and key, and is not told who asked', async () => {
  gateway.stopEngine('mimo');
  for (let times = 0; times < 6; times += 1) expect((await ask({})).status).toBe(200);
  const received = gateway.engines.vendor.last();
  expect(received?.model).toBe('big');
  expect(received?.headers.authorization).toBe(`Bearer ${vendorKey}`);
  expect(received?.headers).not.toHaveProperty('x-modelberth-caller');
  expect(await gateway.logged({ model_used: 'big' })).toMatchObject({ caller: null, caller_ai: 'coding.ci' });
});

test('L33 a model without a fallback whose engine is gone is answered 503', async () => {
  gateway.stopEngine('qwen');
  expect((await ask({ model: 'coding/qwen' })).status).toBe(503);
});
