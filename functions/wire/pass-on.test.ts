/** What a step does not touch goes on as the bytes that came, and what nobody reads is not even judged. */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { callTime, encodeRequest, type RequestParts, replicaXr } from '../../test/run-encoded.ts';
import type { Compose } from '../compose.ts';
import { placementEntry } from '../hand-offs.ts';
import { runFunction } from '../run-function.ts';
import type { FunctionName } from '../steps.ts';
import { UndecodableRequest } from './undecodable-request.ts';

type Field = readonly [number, Uint8Array];

/** A message of fields that each say their length. */
function message(...fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, bytes] of fields) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

const text = (value: string) => new TextEncoder().encode(value);
const entry = (key: string, value: Uint8Array) => message([1, text(key)], [2, value]);
const concat = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** The fields of a message along a path of numbers, as hexadecimal digits. */
function find(bytes: Uint8Array, ...[wanted, ...below]: readonly number[]): readonly string[] {
  if (wanted === undefined) return [Buffer.from(bytes).toString('hex')];
  const reader = new BinaryReader(bytes);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === wanted && type === WireType.LengthDelimited) found.push(reader.bytes());
    else reader.skip(type, number);
  }
  return found.flatMap((field) => find(field, ...below));
}

const nothing: Compose = () => ({ requirements: { resources: {} }, composed: new Map(), status: {}, conditions: [] });
const readAll: Compose = (request) => {
  request.required('nodes');
  request.requiredSchema('A');
  request.handOff(placementEntry);
  return nothing(request);
};

interface Question {
  readonly name?: FunctionName;
  readonly parts?: RequestParts;
  /** What the request has beside its parts. */
  readonly fields: readonly Field[];
}

/** The bytes that a step answers. Throws what it throws. */
function answer({ name = 'gateway', parts = { xr: replicaXr }, fields }: Question): Uint8Array {
  const surroundings = { now: () => callTime, randomKey: () => 'a-random-key' };
  const onError = (error: unknown) => {
    throw error;
  };
  const request = concat(encodeRequest(parts), message(...fields));
  return runFunction(name, readAll, request, { ...surroundings, ttlSeconds: 60, onError }).bytes;
}

/** A Struct whose one field has its value before its name, beside a field that no version knows. */
const odd = message([1, message([2, message([3, text('x')])], [1, text('kind')])], [99, text('later')]);
/** A resource with connection details and a field that no version knows. */
const foreign = message([1, odd], [2, entry('secret', text('value'))], [98, text('later')]);
const request = { desired: 3, context: 5 };
const response = { desired: 2, context: 4 };

describe('byte for byte goes on', () => {
  test('a resource that an earlier step desired, with connection details, and what no version knows', () => {
    const desired = message([2, entry('foreign', foreign)], [97, text('of the state')]);
    const bytes = answer({ fields: [[request.desired, desired]] });
    expect(find(bytes, response.desired, 2, 2)).toEqual(find(foreign));
    expect(find(bytes, response.desired, 97)).toEqual(find(text('of the state')));
  });

  test('the connection details that an earlier step gave the XR, beside the new status', () => {
    const bytes = answer({ fields: [[request.desired, message([1, foreign])]] });
    expect(find(bytes, response.desired, 1, 2)).toEqual(find(foreign, 2));
    expect(find(bytes, response.desired, 1, 98)).toEqual(find(foreign, 98));
    expect(find(bytes, response.desired, 1, 1)).toHaveLength(1);
  });

  test('an entry of the context', () => {
    const value = message([5, odd]);
    const bytes = answer({ fields: [[request.context, message([1, entry('other', value)], [96, text('later')])]] });
    expect(find(bytes, response.context, 1, 2)).toEqual(find(value));
    expect(find(bytes, response.context, 96)).toEqual(find(text('later')));
  });

  test('all of it after a fatal', () => {
    const desired = message([1, foreign], [2, entry('foreign', foreign)], [97, text('of the state')]);
    const context = message([1, entry('other', message([5, odd]))], [96, text('later')]);
    const fields: readonly Field[] = [
      [request.desired, desired],
      [request.context, context],
    ];
    const bytes = answer({ parts: {}, fields });
    expect([find(bytes, response.desired), find(bytes, response.context)]).toEqual([find(desired), find(context)]);
  });
});

test('a request with a field that no version knows is answered', () => {
  expect(find(answer({ fields: [[95, text('later')]] }), 1, 1)).toEqual(find(text('a-tag')));
});

describe('what cannot be decoded', () => {
  const broken = Uint8Array.of(0x0a, 0x7f);
  const resource = (struct: Uint8Array) => message([1, struct]);
  const field = (name: string, ...kind: Field) => message([1, entry(name, message(kind))]);
  /** An object that is one as far as it takes to tell, with a spec that is no object. */
  const damaged = concat(
    field('apiVersion', 3, text('v1')),
    field('kind', 3, text('Node')),
    field('metadata', 5, message()),
    field('spec', 5, broken),
  );

  const refused: readonly [string, Field][] = [
    ['the tag', [1, broken]],
    ['the XR', [2, message([1, broken])]],
    ['the object of the XR', [2, message([1, resource(damaged)])]],
    ['an observed resource', [2, message([2, entry('gateway-a', broken)])]],
    ['a field of an observed resource of the step', [2, message([2, entry('gateway-a', resource(damaged))])]],
    ['the status that an earlier step desired', [3, message([1, resource(broken)])]],
    ['the Input', [4, broken]],
    ['a hand-off', [5, message([1, entry(placementEntry.key, broken)])]],
    ['what was found for a requirement', [8, entry('nodes', broken)]],
    ['a field that is read of a required object', [8, entry('nodes', message([1, resource(damaged)]))]],
    ['a schema that was found', [9, entry('A', broken)]],
  ];
  test.each(refused)('is no request when it is %s', (_name, bytes) => {
    expect(() => answer({ fields: [bytes] })).toThrow(UndecodableRequest);
  });

  const passed: readonly [string, FunctionName, Field][] = [
    ['a resource that an earlier step desired', 'gateway', [3, message([2, entry('foreign', broken)])]],
    ['an entry of the context of somebody else', 'gateway', [5, message([1, entry('other', broken)])]],
    ['a requirement that is not read', 'gateway', [8, entry('other', broken)]],
    [
      'a field of an observed resource of another step',
      'placement',
      [2, message([2, entry('engine-a', resource(damaged))])],
    ],
  ];
  test.each(passed)('is nobody’s business when it is %s', (_name, name, bytes) => {
    expect(answer({ name, fields: [bytes] }).length).toBeGreaterThan(0);
  });
});
