import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallFunction, connectFunctions, type FunctionClients } from '../../cli/crossplane/function-client.ts';
import type { RenderOutput } from '../../cli/crossplane/render-output.ts';
import { canonicalJson } from '../../domain/kubernetes/canonical-json.ts';
import { functions } from '../../functions/functions.ts';
import { readInput } from '../../functions/input.ts';
import { readRequest } from '../../functions/read-request.ts';
import { settleDecision } from '../../functions/settle-decision.ts';
import type { FunctionName } from '../../functions/steps.ts';
import { readStruct } from '../../functions/wire/read-struct.ts';
import { writeResponse } from '../../functions/write-response.ts';
import { type FunctionServers, startFunctionServers } from '../crossplane/function-servers.ts';
import { receive, send } from '../over-the-wire.ts';
import { callInProcess } from './call-in-process.ts';
import { canonical } from './canonical.ts';
import { readCases } from './read-cases.ts';
import { renderCase } from './render-case.ts';
import { surroundings } from './surroundings.ts';

const cases = readCases();
let servers: FunctionServers;
let clients: FunctionClients;

beforeAll(async () => {
  servers = await startFunctionServers();
  clients = connectFunctions(servers.addresses);
});
afterAll(async () => {
  clients?.close();
  await servers?.stop();
});

/** A call that keeps every request and response by the function that was called. */
function recordCalls(call: CallFunction) {
  const calls = new Map<FunctionName, { request: RunFunctionRequest; response: RunFunctionResponse }[]>();
  const record: CallFunction = async (name, request) => {
    const response = await call(name, request);
    calls.set(name, [...(calls.get(name) ?? []), { request, response }]);
    return response;
  };
  return { calls, record };
}

/** Every requirement of a response, as text. */
function requirementsOf({ requirements }: RunFunctionResponse): readonly string[] {
  const { resources = {}, schemas = {} } = requirements ?? {};
  return [...Object.entries(resources), ...Object.entries(schemas)].map((entry) => canonicalJson(entry)).sort();
}

function bytesOf(response: RunFunctionResponse): Buffer {
  return Buffer.from(RunFunctionResponse.encode(response).finish());
}

/** A value that throws when anybody writes to it. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    if (!ArrayBuffer.isView(value)) Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}

/** One call in this process, on a request that cannot be written to. */
function callFrozen(name: FunctionName, request: RunFunctionRequest): RunFunctionResponse {
  const decoded = deepFreeze(receive(request));
  const read = readRequest(decoded, surroundings);
  if (read.state === 'Unreadable') throw new Error(read.why);
  const input = readInput(name, decoded.input === null ? undefined : readStruct(decoded.input));
  if (input.state === 'Invalid') throw new Error(input.why);
  const asked = { ...read.request, input: input.value };
  const settled = settleDecision(name, asked, functions[name](deepFreeze(asked)));
  return send(writeResponse(decoded, settled, 60));
}

describe.each(cases)('S3 case $name', (question) => {
  const { calls, record } = recordCalls((name, request) => clients.call(name, request));
  let rendered: RenderOutput;
  beforeAll(async () => {
    rendered = await renderCase(question, record);
  });

  test('asks for more with each call, never for less, and for nothing new from the third on', () => {
    for (const [name, made] of calls) {
      const asked = made.map(({ response }) => requirementsOf(response));
      const lost = asked.flatMap((now, index) => (asked[index - 1] ?? []).filter((earlier) => !now.includes(earlier)));
      expect({ name, lost, third: asked[2] ?? asked.at(-1) }).toEqual({ name, lost: [], third: asked.at(-1) });
      expect(made.length).toBeLessThanOrEqual(4);
    }
    expect(calls.size).toBeGreaterThan(0);
  });

  test('gives the same bytes for the same request, and the same from one that nobody may write to', async () => {
    for (const [name, made] of calls) {
      const last = made.at(-1);
      if (last === undefined) continue;
      const again = await clients.call(name, last.request);
      expect(bytesOf(again).equals(bytesOf(last.response))).toBe(true);
      expect(callFrozen(name, last.request)).toEqual(last.response);
    }
  });

  test('comes to the same with every map and every required list in another order', async () => {
    const turned = { ...question, observed: question.observed.toReversed(), required: question.required.toReversed() };
    const reverse: CallFunction = (name, request) =>
      callInProcess(name, RunFunctionRequest.fromPartial(reverseKeys(request)));
    expect(canonical(await renderCase(turned, reverse))).toEqual(canonical(rendered));
  });
});

/** A value with the keys of every map in the opposite order, as Go sends them in any order. */
function reverseKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reverseKeys) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, reverseKeys(child)]);
  return Object.fromEntries(entries.reverse()) as T;
}
