/**
 * What the helpers of @crossplane-org/function-sdk-typescript 0.7.0 do to values, each shown there and absent here. When
 * a control fails after an upgrade, the SDK has mended it: read again whether its helpers can be used.
 */
import {
  getContextKey,
  getDesiredComposedResources,
  Ready,
  type Resource,
  RunFunctionRequest,
  RunFunctionResponse,
  setDesiredComposedResources,
  to,
} from '@crossplane-org/function-sdk-typescript';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { KubernetesObject } from '../../domain/kubernetes/object.ts';
import type { Compose, ComposeRequest, Decision } from '../../functions/compose.ts';
import { readRequest } from '../../functions/read-request.ts';
import { startServer } from '../../functions/serve.ts';
import { settleDecision } from '../../functions/settle-decision.ts';
import { writeResponse } from '../../functions/write-response.ts';
import { connect, requestFor } from '../call-function.ts';
import { receive, send } from '../over-the-wire.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Calls our server over a socket. */
async function callOurs(compose: Compose, request: RunFunctionRequest): Promise<RunFunctionResponse> {
  const log = pino({ level: 'silent' });
  const server = await startServer({ name: 'gateway', compose, address: '127.0.0.1:0', insecure: true, log });
  const { call, close } = connect(server.address);
  opened.push(server.stop, close);
  return call(request);
}

function decide(objects: Readonly<Record<string, KubernetesObject>>): Decision {
  const composed = Object.entries(objects).map(
    ([key, object]) => [key, { object, ready: false, state: 'Created', why: 'composed' }] as const,
  );
  return { requirements: { resources: {} }, composed: new Map(composed), status: {}, conditions: [] };
}

function toResource(resource: Record<string, unknown>): Resource {
  return { resource, connectionDetails: {}, ready: Ready.READY_UNSPECIFIED };
}

function requestWithDesired(resources: Readonly<Record<string, KubernetesObject>>): RunFunctionRequest {
  const desired = {
    resources: Object.fromEntries(Object.entries(resources).map(([key, object]) => [key, toResource({ ...object })])),
  };
  return RunFunctionRequest.fromPartial({ ...requestFor('ModelService'), desired });
}

const args = ['--a', '1', '--b', '1'];
const engine = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'engine' },
  spec: { args, containers: [{ name: 'engine', args }] },
};

describe('the SDK merges lists: it drops equal items, and appends to what an earlier function set', () => {
  /** As it arrives: every object of it is its own. */
  function receive(): RunFunctionRequest {
    return RunFunctionRequest.decode(
      RunFunctionRequest.encode(requestWithDesired({ 'gateway-engine': engine })).finish(),
    );
  }

  test('the SDK drops equal items in the very pattern of its README', () => {
    const request = receive();
    const response = to(request);
    setDesiredComposedResources(response, getDesiredComposedResources(request));
    expect(response.desired?.resources['gateway-engine']?.resource).toHaveProperty('spec.args', ['--a', '1', '--b']);
  });

  test('the SDK doubles the containers that an earlier function set', () => {
    const response = to(receive());
    setDesiredComposedResources(response, getDesiredComposedResources(receive()));
    expect(response.desired?.resources['gateway-engine']?.resource).toHaveProperty('spec.containers.length', 2);
  });

  test('ours replaces the object that an earlier function set, item for item', async () => {
    const response = await callOurs(() => decide({ 'gateway-engine': engine }), receive());
    expect(response.desired?.resources['gateway-engine']?.resource).toEqual(engine);
  });
});

describe('the SDK drops keys that are named like members of Object', () => {
  const names = [
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    'toLocaleString',
  ];
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: Object.fromEntries(names.map((name) => [name, 'kept'])),
  };

  test('the SDK does', () => {
    const response = to(requestFor('ModelService'));
    setDesiredComposedResources(response, { 'gateway-settings': toResource(settings) });
    setDesiredComposedResources(response, { 'gateway-settings': toResource(settings) });
    expect(response.desired?.resources['gateway-settings']?.resource).toHaveProperty('data', {});
  });

  test('ours keeps them, composed and of an earlier function', async () => {
    const response = await callOurs(
      () => decide({ 'gateway-settings': settings }),
      requestWithDesired({ earlier: settings }),
    );
    expect(response.desired?.resources['gateway-settings']?.resource).toEqual(settings);
    expect(response.desired?.resources.earlier?.resource).toEqual(settings);
  });

  test('ours keeps a resource whose own key is such a name', async () => {
    const response = await callOurs(() => decide({}), requestWithDesired({ constructor: settings }));
    expect(Object.keys(response.desired?.resources ?? {})).toEqual(['constructor']);
  });
});

describe('the SDK finds a context key "toString" that nobody wrote', () => {
  const request = RunFunctionRequest.fromPartial({ ...requestFor('ModelService'), context: {} });

  test('the SDK does', () => {
    expect(getContextKey(request, 'toString')[1]).toBe(true);
  });

  test('ours says that it is missing', async () => {
    const seen: unknown[] = [];
    const compose = ({ handOff, required, requiredSchema }: ComposeRequest) => {
      const entry = { key: 'toString', version: 1, writtenBy: 'placement', schema: z.unknown() };
      seen.push(handOff(entry).state, required('toString').state, requiredSchema('toString'));
      return decide({});
    };
    await callOurs(compose, request);
    expect(seen).toEqual(['Missing', 'Unresolved', 'Unresolved']);
  });
});

describe('the response of the SDK is the request: changing one changes the other', () => {
  const request = () => {
    const earlier = requestWithDesired({ earlier: engine });
    return RunFunctionRequest.fromPartial({ ...earlier, context: { before: true } });
  };

  test('the SDK does', () => {
    const given = request();
    const response = to(given);
    if (response.desired !== undefined) response.desired.resources.added = toResource({});
    expect(Object.keys(given.desired?.resources ?? {})).toEqual(['earlier', 'added']);
  });

  test('ours takes a request that is frozen to the last leaf, and its response is another one', () => {
    const given = freezeDeep(receive(request()));
    const read = readRequest(given, { now: () => new Date(0), randomKey: () => 'key' });
    if (read.state === 'Unreadable') throw new Error(read.why);
    const settled = settleDecision('gateway', read.request, decide({ 'gateway-engine': engine }));
    const response = writeResponse(given, settled, 60);
    expect(Object.keys(send(response).desired?.resources ?? {})).toEqual(['earlier', 'gateway-engine']);
    expect(response.desired).not.toBe(given.desired);
    expect(given).toEqual(receive(request()));
  });
});

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    Object.values(Object.freeze(value)).forEach(freezeDeep);
  return value;
}

/** The spec that arrives at the other end of the wire when the SDK sends it. */
function sendBySdk(spec: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const response = to(requestFor('ModelService'));
  setDesiredComposedResources(response, { engine: toResource({ ...engine, spec }) });
  const received = RunFunctionResponse.decode(RunFunctionResponse.encode(response).finish());
  return z.record(z.string(), z.unknown()).parse(received.desired?.resources.engine?.resource?.spec);
}

/** What our server answers when it composes a spec beside what is observed. */
async function sendByOurs(spec: Readonly<Record<string, unknown>>): Promise<RunFunctionResponse> {
  const observed = {
    composite: requestFor('ModelService').observed?.composite,
    resources: { 'gateway-kept': toResource({ ...engine }) },
  };
  const request = RunFunctionRequest.fromPartial({ ...requestFor('ModelService'), observed });
  return callOurs(() => decide({ 'gateway-engine': { ...engine, spec } }), request);
}

/** Ours applies nothing new, keeps what is observed, and says where the value is. */
async function expectRefusal(spec: Readonly<Record<string, unknown>>, where: string): Promise<void> {
  const response = await sendByOurs(spec);
  expect(Object.entries(response.desired?.resources ?? {}).map(([key, { resource }]) => [key, resource])).toEqual([
    ['gateway-kept', engine],
  ]);
  expect(response.conditions).toMatchObject([
    {
      type: 'Routable',
      reason: 'InternalError',
      message: `Cannot compose: gateway-engine.spec${where}; report this with the log of the function`,
    },
  ]);
}

describe('the SDK loses the call to a value that cannot be encoded', () => {
  const unwritable = [
    { name: 'a bigint', value: 1n, where: '.value is the bigint 1, which is no JSON' },
    { name: 'a function', value: () => 1, where: '.value is the function () => 1, which is no JSON' },
    { name: 'a symbol', value: Symbol('x'), where: '.value is the symbol Symbol(x), which is no JSON' },
  ];

  test.each(unwritable)('the SDK throws on $name after the function has returned', ({ value }) => {
    expect(() => sendBySdk({ value })).toThrow('Unsupported any value type');
  });

  test.each(unwritable)('ours keeps what is observed and says where on $name', ({ value, where }) =>
    expectRefusal({ value }, where),
  );
});

describe('the SDK sends something else, or what is no JSON, without a word', () => {
  const altered = [
    // Crossplane v2.4.0 reads it as the text "NaN" (FromStruct in internal/xfn/utils.go, read 2026-12-02).
    {
      name: 'NaN',
      spec: { value: Number.NaN },
      arrives: { value: Number.NaN },
      where: '.value is the number NaN, which is no JSON',
    },
    {
      name: 'Infinity',
      spec: { list: [1, Number.POSITIVE_INFINITY] },
      arrives: { list: [1, Number.POSITIVE_INFINITY] },
      where: '.list[1] is the number Infinity, which is no JSON',
    },
    {
      name: 'undefined in a list',
      spec: { list: [1, undefined, 2] },
      arrives: { list: [1, undefined, 2] },
      where: '.list[1] is undefined, which a list cannot hold',
    },
    {
      name: 'a Date',
      spec: { deep: { value: new Date(0) } },
      arrives: { deep: { value: {} } },
      where: '.deep.value is no plain object',
    },
    {
      name: 'a Map',
      spec: { value: new Map([['a', 1]]) },
      arrives: { value: {} },
      where: '.value is no plain object',
    },
    {
      name: 'an integer above 2^53, written as 9007199254740993',
      spec: JSON.parse('{"value":9007199254740993}'),
      arrives: { value: 2 ** 53 },
      where: '.value is the number 9007199254740992, which is no JSON',
    },
    {
      name: 'half a surrogate pair',
      spec: { value: 'a\ud800' },
      arrives: { value: 'a\ufffd' },
      where: '.value is text with half a surrogate pair',
    },
    {
      name: 'a field named __proto__',
      spec: JSON.parse('{"__proto__":1,"other":2}'),
      arrives: { other: 2 },
      where: '.__proto__ is a name that the wire drops',
    },
  ];

  test.each(altered)('the SDK does, of $name', ({ spec, arrives }) => {
    expect(sendBySdk(spec)).toStrictEqual(arrives);
  });

  test.each(altered)('ours keeps what is observed and says where, of $name', ({ spec, where }) =>
    expectRefusal(spec, where),
  );
});

describe('the SDK and ours both send as it is', () => {
  const alike = [
    { name: '-0', spec: { value: -0 }, arrives: { value: -0 } },
    { name: 'the largest safe integer', spec: { value: 2 ** 53 - 1 }, arrives: { value: 2 ** 53 - 1 } },
    { name: 'the smallest fraction', spec: { value: Number.MIN_VALUE }, arrives: { value: Number.MIN_VALUE } },
    { name: 'null', spec: { value: null }, arrives: { value: null } },
    // Absent and undefined are one thing in a Kubernetes object, and in JSON.
    {
      name: 'a field that is undefined, as one that is absent',
      spec: { value: undefined, other: 1 },
      arrives: { other: 1 },
    },
  ];

  test.each(alike)('$name', async ({ spec, arrives }) => {
    const response = await sendByOurs(spec);
    expect(response.conditions).toEqual([]);
    expect(response.desired?.resources['gateway-engine']?.resource?.spec).toStrictEqual(arrives);
    expect(sendBySdk(spec)).toStrictEqual(arrives);
  });
});
